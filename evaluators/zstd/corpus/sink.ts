/** Bytes that are written one after the other; whatever does not fit any more is dropped, so a document has its exact size. */
export class Sink {
  readonly #bytes: Buffer;
  #length = 0;

  constructor(size: number) {
    this.#bytes = Buffer.alloc(size);
  }

  get full(): boolean {
    return this.#length >= this.#bytes.length;
  }

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    if (this.#length < this.#bytes.length) this.#bytes[this.#length++] = value;
  }

  bytes(from: Uint8Array): void {
    const n = Math.min(from.length, this.#bytes.length - this.#length);
    for (let i = 0; i < n; i += 1) this.#bytes[this.#length + i] = from[i] ?? 0;
    this.#length += n;
  }

  /** ASCII alone. */
  text(text: string): void {
    const n = Math.min(text.length, this.#bytes.length - this.#length);
    for (let i = 0; i < n; i += 1) this.#bytes[this.#length + i] = text.charCodeAt(i);
    this.#length += n;
  }

  /** `length` bytes again that were written `distance` bytes ago. */
  repeat(distance: number, length: number): void {
    for (let i = 0; i < length && !this.full; i += 1) this.byte(this.#bytes[this.#length - distance] ?? 0);
  }

  done(): Buffer {
    return this.#bytes;
  }
}
