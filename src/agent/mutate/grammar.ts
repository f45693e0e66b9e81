import { createRequire } from 'node:module';
import { Language as Grammar, Parser } from 'web-tree-sitter';
import { type Language, OPERATOR_HOLDERS, SIGN_HOLDERS } from './language.ts';

/** What a node type is to the mutation operators: bits, since Go's `x += 1` is a statement and holds an operator. */
export const KIND = {
  block: 1,
  statement: 2,
  declaration: 4,
  number: 8,
  boolean: 16,
  operatorHolder: 32,
  signHolder: 64,
  operator: 128,
} as const;

/** A loaded grammar: its parser, and the `KIND` bits of every node type by the grammar's numeric id. */
export interface LoadedGrammar {
  readonly parser: Parser;
  readonly kinds: Uint8Array;
}

let runtime: Promise<void> | undefined;
const loaded = new Map<string, Promise<LoadedGrammar>>();

/** Loads the grammar of a language, once per process. A parser keeps no state between files and is shared. */
export function loadGrammar(language: Language): Promise<LoadedGrammar> {
  let grammar = loaded.get(language.grammar);
  if (grammar === undefined) {
    grammar = load(language);
    loaded.set(language.grammar, grammar);
  }
  return grammar;
}

async function load(language: Language): Promise<LoadedGrammar> {
  runtime ??= Parser.init();
  await runtime;
  const resolve = createRequire(import.meta.url).resolve;
  const grammar = await Grammar.load(resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${language.grammar}.wasm`));
  const parser = new Parser();
  parser.setLanguage(grammar);
  return { parser, kinds: kindsOf(language, grammar) };
}

function kindsOf(language: Language, grammar: Grammar): Uint8Array {
  const named = new Map<string, number>();
  const put = (types: readonly string[], kind: number) => {
    for (const type of types) named.set(type, (named.get(type) ?? 0) | kind);
  };
  put(OPERATOR_HOLDERS, KIND.operatorHolder);
  put(SIGN_HOLDERS, KIND.signHolder);
  put(language.blocks, KIND.block);
  put(language.statements, KIND.statement);
  put(language.declarations, KIND.declaration);
  put(language.numbers, KIND.number);
  put(language.booleans, KIND.boolean);
  const tokens = new Set([...language.operators.comparison, ...language.operators.arithmetic].flat());

  const kinds = new Uint8Array(grammar.nodeTypeCount);
  for (let id = 0; id < kinds.length; id += 1) {
    const type = grammar.nodeTypeForId(id);
    if (type === null) continue;
    if (grammar.nodeTypeIsNamed(id)) kinds[id] = named.get(type) ?? 0;
    else if (tokens.has(type)) kinds[id] = KIND.operator;
  }
  return kinds;
}
