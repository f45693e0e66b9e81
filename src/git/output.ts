/** Collects output. */
export interface Pile {
  readonly add: (chunk: Uint8Array) => void;
  readonly all: () => Buffer;
}

export function createPile(): Pile {
  const chunks: Uint8Array[] = [];
  return { add: (chunk) => void chunks.push(chunk), all: () => Buffer.concat(chunks) };
}

/** Hands output over piece by piece: whoever gives one waits until it is taken, before giving another. */
export interface Handover {
  readonly give: (chunk: Uint8Array) => Promise<void>;
  /** Null at the end. */
  readonly next: () => Promise<Buffer | null>;
  readonly end: () => void;
}

export function createHandover(): Handover {
  let offered: { readonly chunk: Uint8Array; readonly taken: () => void } | null = null;
  let ended = false;
  let rouse: () => void = () => {};
  const news = () =>
    new Promise<void>((resolve) => {
      rouse = resolve;
    });
  return {
    give: (chunk) =>
      new Promise((taken) => {
        offered = { chunk, taken };
        rouse();
      }),
    async next() {
      if (offered === null && !ended) await news();
      if (offered === null) return null;
      const { chunk, taken } = offered;
      offered = null;
      taken();
      return Buffer.from(chunk);
    },
    end() {
      ended = true;
      rouse();
    },
  };
}
