import { readSource, type Source } from './source.ts';

interface Entry {
  readonly source: Source;
  /** Leases that hold it: the tree of a held source may not be freed. */
  holders: number;
}

/** What one proposal holds of the cache; to be disposed of when the proposal is over. */
export interface Lease extends Disposable {
  /** The file as it was read before, or read now. */
  get(path: string, text: string): Promise<Source>;
}

/**
 * Sources by path and text, the latest used last, up to `maxCharacters` of text together. Most proposals start from files
 * that were read before. Syntax trees lie in WebAssembly's memory, whose pressure the garbage collector does not feel:
 * left to it, the process grew by a megabyte with every new version of a large file.
 */
export class SourceCache {
  readonly #entries = new Map<string, Entry>();
  readonly #maxCharacters: number;
  #characters = 0;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** Whole text of the sources kept, in UTF-16 units. */
  get characters(): number {
    return this.#characters;
  }

  lease(): Lease {
    const held: Entry[] = [];
    return {
      get: async (path, text) => {
        const key = `${path}\n${text}`;
        const entry = this.#entries.get(key) ?? this.#add(key, await readSource(path, text));
        this.#entries.delete(key);
        this.#entries.set(key, entry);
        entry.holders += 1;
        held.push(entry);
        return entry.source;
      },
      [Symbol.dispose]: () => {
        for (const entry of held.splice(0)) entry.holders -= 1;
        this.#shrink();
      },
    };
  }

  /** Somebody else may have read the same text while we did: the first one stays. */
  #add(key: string, source: Source): Entry {
    const first = this.#entries.get(key);
    if (first !== undefined) {
      source.free();
      return first;
    }
    this.#characters += source.text.length;
    return { source, holders: 0 };
  }

  #shrink(): void {
    for (const [key, { source, holders }] of this.#entries) {
      if (this.#characters <= this.#maxCharacters) return;
      if (holders > 0) continue;
      this.#entries.delete(key);
      this.#characters -= source.text.length;
      source.free();
    }
  }
}
