/** Gitignore patterns; `protect` wins over `edit`. */
export interface Scope {
  readonly edit: readonly string[];
  readonly protect: readonly string[];
}

/** Says for each path (as `decodePath` gives it) whether an agent may change it. */
export function editable(_scope: Scope): (path: string) => boolean {
  return () => false;
}
