/** Collects output. */
export interface Pile {
  readonly add: (chunk: Uint8Array) => void;
  readonly all: () => Buffer;
}

export function createPile(): Pile {
  const chunks: Uint8Array[] = [];
  return { add: (chunk) => void chunks.push(chunk), all: () => Buffer.concat(chunks) };
}

/** Hands output over piece by piece: whoever gives one waits until it is taken. */
export interface Handover {
  readonly give: (chunk: Uint8Array) => Promise<void>;
  /** Null at the end. */
  readonly next: () => Promise<Buffer | null>;
  readonly end: () => void;
}

export function createHandover(): Handover {
  // Nearly always one at most; at its child's exit Node reads a pipe to its end, paused or not.
  const offered: { readonly chunk: Uint8Array; readonly taken: () => void }[] = [];
  let ended = false;
  let rouse: () => void = () => {};
  return {
    give: (chunk) =>
      new Promise((taken) => {
        offered.push({ chunk, taken });
        rouse();
      }),
    async next() {
      if (offered.length === 0 && !ended) {
        await new Promise<void>((resolve) => {
          rouse = resolve;
        });
      }
      const first = offered.shift();
      first?.taken();
      return first === undefined ? null : Buffer.from(first.chunk);
    },
    end() {
      ended = true;
      rouse();
    },
  };
}
