import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
  type YAMLError,
} from 'yaml';
import type { Finding } from './finding.ts';
import { isRecord, type KeyPath } from './key-path.ts';

/** A parsed YAML file that still knows where each of its values was written. */
export interface Source {
  readonly path: string;
  /** Plain data. A key with nothing behind it is left out, as if it had not been written. */
  readonly value: unknown;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** The position of a key or of its value; of the closest thing around it when it was not written. */
  locate(keys: KeyPath, part: 'key' | 'value'): { readonly line: number; readonly column: number };
}

/** Parses YAML 1.2. Never throws: what is wrong with the text is in `errors`, and then `value` is undefined. */
export function readSource(path: string, text: string): Source {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const position = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const finding = (error: YAMLError): Finding => ({ path, ...position(error.pos[0]), message: error.message });

  const errors = document.errors.map(finding);
  let value: unknown;
  if (errors.length === 0) {
    try {
      value = withoutNulls(document.toJS()) ?? {};
    } catch (error) {
      // The library throws a ReferenceError for an alias without its anchor and for aliases that multiply without end.
      if (!(error instanceof ReferenceError)) throw error;
      errors.push({ path, line: 1, column: 1, message: error.message });
    }
  }
  return {
    path,
    value,
    errors,
    warnings: document.warnings.map(finding),
    locate: (keys, part) => position(offsetOf(document, keys, part)),
  };
}

function offsetOf(document: Document.Parsed, keys: KeyPath, part: 'key' | 'value'): number {
  let node: unknown = document.contents;
  let keyOffset = isNode(node) ? startOf(node) : 0;
  for (const key of keys) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap<ParsedNode, ParsedNode | null>(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
      if (pair === undefined) return keyOffset;
      keyOffset = startOf(pair.key);
      node = pair.value;
    } else if (isSeq(node)) {
      const item = node.items[Number(key)];
      if (!isNode(item)) return keyOffset;
      keyOffset = startOf(item);
      node = item;
    } else {
      return isNode(node) ? startOf(node) : keyOffset;
    }
  }
  return part === 'value' && isNode(node) ? startOf(node) : keyOffset;
}

function startOf(node: { range?: readonly number[] | null | undefined }): number {
  return node.range?.[0] ?? 0;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutNulls(inner)]));
}
