/**
 * How a run of an agent reaches models: through the gateway of this process and in no other way. What it uses is metered there, whatever
 * the agent says of itself.
 */
export interface ModelAccess {
  /** For a client in this process: the base URL of a provider, and the `fetch` that leads there. */
  readonly client: (provider: string) => { readonly baseURL: string; readonly fetch: typeof fetch };
  /** For a process: the Unix socket, absolute, that is bound into its sandbox … */
  readonly socket: string;
  /** … and the path of a provider behind it, `/SECRET/PROVIDER`, without a slash at its end. */
  readonly pathOf: (provider: string) => string;
  /** One for the whole run, with all its calls and waits. */
  readonly deadline: AbortSignal;
  /** Says that a provider answers, and nothing that an agent can use: a fault of it as any other. */
  readonly blame: (provider: string, message: string) => void;
  /**
   * The fault of a provider or a budget that ended a call of this run, null without one. A run that met one says nothing about the
   * candidate, and is tried again later.
   */
  readonly fault: () => { readonly kind: 'shut' | 'budget' | 'unreachable'; readonly message: string } | null;
}
