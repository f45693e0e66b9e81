import { delimiter, dirname, isAbsolute } from 'node:path';

const FALLBACK_PATH = '/usr/local/bin:/usr/bin:/bin';

export interface EnvironmentRequest {
  /** The child's own HOME and TMPDIR, absolute. */
  readonly home: string;
  readonly tmp: string;
  readonly extra?: Readonly<Record<string, string>>;
  /** Names of variables of Clade's environment that this child may have. An unset one is left out. */
  readonly pass?: readonly string[];
}

/**
 * The complete environment of a child, by allow-list: PATH (the running Node first, then the absolute entries of ours),
 * LANG=C.UTF-8, TZ, its own HOME and TMPDIR, what was named in `pass`, and `extra`, which wins.
 */
export function baseEnvironment(request: EnvironmentRequest): Record<string, string> {
  const environment: Record<string, string> = {
    PATH: searchPath(),
    LANG: 'C.UTF-8',
    HOME: request.home,
    TMPDIR: request.tmp,
  };
  for (const name of ['TZ', ...(request.pass ?? [])]) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...request.extra };
}

/** A relative or empty entry would let a candidate's folder decide what a command is. */
function searchPath(): string {
  const inherited = (process.env.PATH ?? FALLBACK_PATH).split(delimiter).filter(isAbsolute);
  return [...new Set([dirname(process.execPath), ...inherited])].join(delimiter);
}
