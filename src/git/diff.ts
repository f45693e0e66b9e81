import type { Hub } from './hub.ts';
import { havePresent } from './mirror.ts';
import { encodePath } from './path.ts';
import { stream } from './run.ts';

export interface DiffText {
  /** Unified diff, valid UTF-8 without NUL. */
  readonly text: string;
  readonly truncated: boolean;
}

/** The unified diff between two commits or trees, cut at a line end at or below `maxBytes`; Git is ended at the cut. */
export async function diffText(
  hub: Hub,
  a: string,
  b: string,
  limits: { maxBytes: number; paths?: readonly string[] },
): Promise<DiffText> {
  await havePresent(hub, [a, b]);
  const site = { gitDir: hub.dir, env: { GIT_LITERAL_PATHSPECS: '1' } };
  // A path whose bytes are no UTF-8 cannot be an argument of a Node child; such files are left to the whole diff.
  const paths = limits.paths?.filter((path) => encodePath(path).equals(Buffer.from(path)));
  const argv = ['diff-tree', '-r', '-p', '-M', '--no-ext-diff', '--no-textconv', a, b];
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream(site, paths === undefined ? argv : [...argv, '--', ...paths])) {
    parts.push(chunk);
    size += chunk.length;
    if (size > limits.maxBytes) break;
  }
  const whole = Buffer.concat(parts);
  const truncated = size > limits.maxBytes;
  const kept = truncated ? whole.subarray(0, whole.lastIndexOf(10, limits.maxBytes - 1) + 1) : whole;
  return { text: kept.toString('utf8').replaceAll('\0', '\uFFFD'), truncated };
}
