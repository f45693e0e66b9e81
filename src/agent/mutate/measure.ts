import { loadGrammar } from './grammar.ts';
import { languageOf } from './language.ts';

/** What one file's syntax tree amounts to; the same words in every language that has a grammar. */
export interface SyntaxMeasure {
  /** Named nodes by their kind. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Depth of the deepest named node; the root has 1. */
  readonly depth: number;
  /** Cyclomatic complexity [McCabe 1976]: one for each function and one for each branch, loop, case and handler. */
  readonly cyclomatic: number;
}

/** Functions and decisions in the words of all grammars. A name that two grammars share means the same in both. */
const DECISIONS = new Set(
  `
  function_definition function_declaration function_item function_expression method_definition method_declaration
  arrow_function lambda lambda_expression closure_expression func_literal generator_function
  generator_function_declaration constructor_declaration
  if_statement if_expression if_clause elif_clause conditional_expression ternary_expression
  while_statement while_expression do_statement loop_expression
  for_statement for_expression for_in_statement for_in_clause for_range_loop enhanced_for_statement
  case_statement case_clause switch_case switch_label expression_case type_case communication_case match_arm
  catch_clause except_clause
  `
    .trim()
    .split(/\s+/),
);

/** Parses a file and measures it, or null where Clade has no grammar for it. */
export async function measureSyntax(path: string, text: string): Promise<SyntaxMeasure | null> {
  const language = languageOf(path);
  if (language === null) return null;
  const { parser } = await loadGrammar(language);
  const tree = parser.parse(text);
  if (tree === null) return null;
  const cursor = tree.walk();
  try {
    const counts = new Map<string, number>();
    let depth = 0;
    for (let level = 1, done = false; !done; ) {
      if (cursor.nodeIsNamed) {
        counts.set(cursor.nodeType, (counts.get(cursor.nodeType) ?? 0) + 1);
        depth = Math.max(depth, level);
      }
      if (cursor.gotoFirstChild()) {
        level++;
        continue;
      }
      while (!cursor.gotoNextSibling()) {
        done = !cursor.gotoParent();
        if (done) break;
        level--;
      }
    }
    const cyclomatic = [...counts].reduce((sum, [kind, nodes]) => sum + (DECISIONS.has(kind) ? nodes : 0), 0);
    return { kinds: Object.fromEntries(counts), depth, cyclomatic };
  } finally {
    cursor.delete();
    tree.delete();
  }
}
