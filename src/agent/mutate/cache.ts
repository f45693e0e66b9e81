import { readSource, type Source } from './source.ts';

/** Sources by path and text, the latest used last. Most proposals start from files that were read before. */
export class SourceCache {
  readonly #sources = new Map<string, Source>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  async get(path: string, text: string): Promise<Source> {
    const key = `${path}\n${text}`;
    const source = this.#sources.get(key) ?? (await readSource(path, text));
    this.#sources.delete(key);
    this.#sources.set(key, source);
    // The tree of a source that is dropped here may still be in use by another proposal; it is freed when collected.
    for (const oldest of this.#sources.keys()) {
      if (this.#sources.size <= this.#capacity) break;
      this.#sources.delete(oldest);
    }
    return source;
  }
}
