import { type Change, parseChanges } from './change.ts';
import type { Hub } from './hub.ts';
import { havePresent } from './mirror.ts';
import { encodePath } from './path.ts';
import { stream } from './run.ts';

/** What differs in one file. */
export interface FileDiff {
  readonly path: string;
  /** Lines; absent when Git takes the file for binary. */
  readonly added?: number;
  readonly deleted?: number;
  /** Unified diff, valid UTF-8 without NUL. */
  readonly text: string;
  readonly truncated: boolean;
}

/** A state of the repository. */
export interface Snapshot {
  readonly commit: string;
  readonly tree: string;
}

/** A larger file is compared as a binary one is, so that the work is bounded by the number of paths. */
const BIG_FILE = '512k';

/**
 * The differences between pairs of commits, file by file and in path order, all by one process. Renames are not looked for: of most
 * the other name is not among the paths.
 * @param limits.paths only these; one whose bytes are no UTF-8 is left out, because no argument of a Node child can hold it
 * @param limits.maxBytes of the text of one file, which is cut at a line end
 */
export async function fileDiffs(
  hub: Hub,
  pairs: readonly (readonly [Snapshot, Snapshot])[],
  { paths, maxBytes }: { readonly paths: readonly string[]; readonly maxBytes: number },
): Promise<readonly (readonly FileDiff[])[]> {
  const known = paths.filter((path) => encodePath(path).equals(Buffer.from(path)));
  if (pairs.length === 0 || known.length === 0) return pairs.map(() => []);
  await havePresent(
    hub,
    pairs.flatMap(([a, b]) => [a.commit, b.commit]),
  );
  const env = {
    GIT_LITERAL_PATHSPECS: '1',
    ...{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.bigFileThreshold', GIT_CONFIG_VALUE_0: BIG_FILE },
  };
  const argv = ['diff-tree', '--stdin', '-r', '--raw', '--numstat', '-p', '--no-abbrev', '--no-renames'];
  // By their trees: of two commits Git would take one for the parent of the other, and name it alone.
  const questions = pairs.map(([a, b]) => `${a.tree} ${b.tree}\n`).join('');
  const output = stream(
    { gitDir: hub.dir, env },
    [...argv, '--no-ext-diff', '--no-textconv', '--', ...known],
    questions,
  );
  const answers = await readAnswers(output, maxBytes);
  return pairs.map(([a, b]) => answers.get(`${a.tree} ${b.tree}`) ?? []);
}

interface Piece {
  readonly parts: Buffer[];
  size: number;
  truncated: boolean;
}

interface Answer {
  /** The lines before the first patch: raw ones, then as many counts. */
  readonly listing: string[];
  readonly pieces: Piece[];
}

/** Git says which two trees it compares before what differs; of equal ones it says nothing. */
const HEADER = /^([0-9a-f]{40} [0-9a-f]{40}|[0-9a-f]{64} [0-9a-f]{64})\n$/;
const LONGEST_HEADER = 2 * 64 + 2;
const PATCH = Buffer.from('diff --git ');

async function readAnswers(output: AsyncIterable<Buffer>, maxBytes: number): Promise<Map<string, FileDiff[]>> {
  const answers = new Map<string, Answer>();
  let answer: Answer | undefined;
  let piece: Piece | undefined;
  for await (const line of linesOf(output, maxBytes)) {
    const header = line.length <= LONGEST_HEADER ? HEADER.exec(line.toString('latin1')) : null;
    if (header?.[1] !== undefined) {
      answer = { listing: [], pieces: [] };
      piece = undefined;
      answers.set(header[1], answer);
    } else if (line.subarray(0, PATCH.length).equals(PATCH)) {
      piece = { parts: [line], size: line.length, truncated: false };
      answer?.pieces.push(piece);
    } else if (piece === undefined) answer?.listing.push(line.toString());
    else add(piece, line, maxBytes);
  }
  return new Map([...answers].map(([key, { listing, pieces }]) => [key, join(parseChanges(listing.join('')), pieces)]));
}

function add(piece: Piece, line: Buffer, maxBytes: number): void {
  piece.truncated ||= piece.size + line.length > maxBytes;
  if (piece.truncated) return;
  piece.parts.push(line);
  piece.size += line.length;
}

/** Patches come in the order of the list; a file that became a link, or the other way round, has two. */
function join(changes: readonly Change[], pieces: readonly Piece[]): FileDiff[] {
  let next = 0;
  return changes.map(({ path, added, deleted, status }) => {
    const mine = pieces.slice(next, next + (status === 'type_changed' ? 2 : 1));
    next += mine.length;
    const text = Buffer.concat(mine.flatMap(({ parts }) => parts)).toString();
    return {
      path,
      ...(added === undefined || deleted === undefined ? {} : { added, deleted }),
      text: text.replaceAll('\0', '\uFFFD'),
      truncated: mine.some((piece) => piece.truncated),
    };
  });
}

/** Lines with their ends; of a longer one than `maxBytes` a beginning that is longer, too, so that it is seen not to fit. */
async function* linesOf(output: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let size = 0;
  const keep = (part: Buffer): void => {
    if (size <= Math.max(maxBytes, 65_536)) pending.push(part);
    size += part.length;
  };
  for await (const chunk of output) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      keep(chunk.subarray(from, end + 1));
      yield pending.length === 1 ? (pending[0] ?? chunk) : Buffer.concat(pending);
      [pending, size, from] = [[], 0, end + 1];
    }
    if (from < chunk.length) keep(chunk.subarray(from));
  }
  if (pending.length > 0) yield Buffer.concat(pending);
}
