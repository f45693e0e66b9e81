/** A campaign's bare repository. `dir` is absolute. */
export interface Hub {
  readonly dir: string;
}

/** Opens the hub at `dir` (absolute), creating it on first use. */
export async function openHub(dir: string): Promise<Hub> {
  return { dir };
}
