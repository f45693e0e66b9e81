import type { Node } from 'web-tree-sitter';
import { MAX_FILE_BYTES } from './files.ts';
import { KIND, loadGrammar } from './grammar.ts';
import { languageOf } from './language.ts';

/** Zero-based lines, `to` excluded. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/**
 * What lies whole in each of some ranges of a file's lines: the largest syntax nodes that leave no range, such as
 * statements, functions and entries of a table, in order. Comments are none. What shares a line is one. Null where Clade has no grammar, or
 * the file is too large to be parsed.
 */
export async function nodesWithin(
  path: string,
  text: string,
  ranges: readonly LineRange[],
): Promise<LineRange[][] | null> {
  const language = languageOf(path);
  if (language === null || Buffer.byteLength(text) > MAX_FILE_BYTES) return null;
  const { parser, kinds } = await loadGrammar(language);
  const tree = parser.parse(text);
  if (tree === null) return null;
  try {
    const { rootNode } = tree;
    return ranges.map((range) => joined(collect(rootNode, range)));
  } finally {
    tree.delete();
  }

  function collect(node: Node, range: LineRange): LineRange[] {
    const lines = linesOf(node);
    // Comments are extras: they belong to what they speak of.
    if (node.isExtra || lines.to <= range.from || lines.from >= range.to) return [];
    // A block is only what holds statements, and the root holds everything.
    const holder = node.parent === null || ((kinds[node.typeId] ?? 0) & KIND.block) !== 0;
    if (!holder && node.isNamed && lines.from >= range.from && lines.to <= range.to) return [lines];
    return node.children.flatMap((child) => collect(child, range));
  }
}

/** A node that ends at the very beginning of a line, as the statements of some grammars do, has nothing of that line. */
function linesOf({ startPosition, endPosition }: Node): LineRange {
  const { row, column } = endPosition;
  return { from: startPosition.row, to: Math.max(startPosition.row + 1, column === 0 ? row : row + 1) };
}

function joined(ranges: readonly LineRange[]): LineRange[] {
  const all: LineRange[] = [];
  for (const { from, to } of ranges) {
    const last = all.at(-1);
    if (last !== undefined && from < last.to) all[all.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else all.push({ from, to });
  }
  return all;
}
