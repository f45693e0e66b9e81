import type { Problem } from '../server/answers.ts';

/** What the server said when it did not answer what was asked. */
export class ApiError extends Error {
  readonly hint: string | null;
  /** The HTTP status; null when nobody answered. */
  readonly status: number | null;

  constructor(message: string, status: number | null, hint: string | null = null) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

/** Reads an answer of the API; the path begins after `/api`. @throws ApiError */
export async function get<T>(path: string, signal: AbortSignal): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api${path}`, { signal });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new ApiError(
      'The process that served this page does not answer.',
      null,
      'It ends with its run; clade daemon in the same workspace shows it again.',
    );
  }
  const body = (await response.json()) as T | Problem;
  if (response.ok) return body as T;
  const { message, hint } = (body as Problem).error;
  throw new ApiError(message, response.status, hint ?? null);
}

/** The path of a campaign, and of what belongs to it. */
export function campaignPath(name: string, rest = ''): string {
  return `/campaigns/${encodeURIComponent(name)}${rest}`;
}
