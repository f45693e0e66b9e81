import { onTestFinished, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';

export interface Captured {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in this process and keeps what it prints. */
export async function clade(...argv: string[]): Promise<Captured> {
  const said = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      said[name] += text;
      return true;
    }),
  );
  const restore = (): void => {
    for (const spy of spies) spy.mockRestore();
  };
  onTestFinished(restore);
  const code = await main(argv);
  restore();
  return { code, ...said };
}
