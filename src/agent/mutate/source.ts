import type { Node, Tree, TreeCursor } from 'web-tree-sitter';
import { KIND, type LoadedGrammar, loadGrammar } from './grammar.ts';
import { type Language, languageOf } from './language.ts';
import { indexLines } from './lines.ts';
import { reparse } from './reparse.ts';
import { type Edit, lineStarts, type Span } from './text.ts';

export interface Statement extends Span {
  /** Statements of the same block have the same number. */
  readonly block: number;
  /** Whether a second copy of it may stand elsewhere. */
  readonly copyable: boolean;
}

/** Where a file can be changed: plain spans in the order of the text, so that no operator needs a tree. */
export interface Places {
  readonly statements: readonly Statement[];
  /** Numeric constants, with their minus when they have one. */
  readonly numbers: readonly Span[];
  readonly booleans: readonly Span[];
  /** Operator tokens. */
  readonly operators: readonly Span[];
}

/** One file, read once. */
export interface Source extends Places {
  readonly path: string;
  readonly text: string;
  /** Null at line level. */
  readonly language: Language | null;
  readonly lines: readonly number[];
  /** Whether the edits leave no more syntax errors than there were; at line level always. */
  readonly accepts: (edits: readonly Edit[]) => boolean;
  /** Frees the syntax tree: `accepts` must not be called any more. */
  readonly free: () => void;
}

/** Reads a file's text for mutation: on its syntax tree where there is a grammar, else line by line. */
export async function readSource(path: string, text: string): Promise<Source> {
  const language = languageOf(path);
  const lines = lineStarts(text);
  if (language !== null) {
    const grammar = await loadGrammar(language);
    const tree = grammar.parser.parse(text);
    if (tree !== null) {
      const errors = countErrors(tree);
      const accepts = (edits: readonly Edit[]) => {
        const after = reparse(grammar.parser, tree, text, lines, edits);
        try {
          return countErrors(after) <= errors;
        } finally {
          after.delete();
        }
      };
      const free = () => tree.delete();
      return { path, text, language, lines, accepts, free, ...indexTree(tree, text, grammar, language) };
    }
  }
  return { path, text, language: null, lines, accepts: () => true, free: () => {}, ...indexLines(text, lines) };
}

/** ERROR and MISSING nodes. Only the branches that hold one are visited. */
function countErrors(tree: Tree): number {
  const count = (node: Node): number => {
    if (!node.hasError) return 0;
    let errors = node.isError || node.isMissing ? 1 : 0;
    for (const child of node.children) errors += count(child);
    return errors;
  };
  return count(tree.rootNode);
}

/** One walk over the tree. A cursor, since nodes would cost an object for each of some ten thousand. */
function indexTree(tree: Tree, text: string, { kinds }: LoadedGrammar, language: Language): Places {
  const statements: Statement[] = [];
  const numbers: Span[] = [];
  const booleans: Span[] = [];
  const operators: Span[] = [];
  let blocks = 0;

  const visit = (cursor: TreeCursor, parent: Frame): Frame => {
    const kind = kinds[cursor.nodeTypeId] ?? 0;
    if (kind & (KIND.statement | KIND.declaration) && parent.kind & KIND.block) {
      statements.push({
        ...trimmed(text, cursor),
        block: parent.block,
        copyable: (kind & KIND.statement) !== 0,
      });
    } else if (kind & KIND.number) {
      const signed = parent.kind & KIND.signHolder && text[parent.start] === '-';
      numbers.push({ start: signed ? parent.start : cursor.startIndex, end: cursor.endIndex });
    } else if (kind & KIND.boolean) {
      booleans.push({ start: cursor.startIndex, end: cursor.endIndex });
    } else if (kind & KIND.operator && parent.kind & KIND.operatorHolder) {
      operators.push({ start: cursor.startIndex, end: cursor.endIndex });
    }
    if (kind & KIND.block) blocks += 1;
    return { kind, block: blocks, start: cursor.startIndex };
  };

  const cursor = tree.walk();
  const frames: Frame[] = [];
  let parent: Frame = { kind: 0, block: 0, start: 0 };
  for (;;) {
    const frame = visit(cursor, parent);
    if (cursor.gotoFirstChild()) {
      frames.push(parent);
      parent = frame;
      continue;
    }
    while (!cursor.gotoNextSibling()) {
      const up = frames.pop();
      if (up === undefined) {
        cursor.delete();
        return { statements, numbers, booleans: language.booleans.length === 0 ? [] : booleans, operators };
      }
      cursor.gotoParent();
      parent = up;
    }
  }
}

interface Frame {
  readonly kind: number;
  readonly block: number;
  readonly start: number;
}

/** Some grammars count the line end into a statement. */
function trimmed(text: string, cursor: TreeCursor): Span {
  const start = cursor.startIndex;
  return { start, end: start + text.slice(start, cursor.endIndex).trimEnd().length };
}
