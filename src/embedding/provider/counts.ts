/** How often each 32-bit feature occurs in one text: an open-addressing table that is used again for the next one. */
export interface FeatureCounts {
  add(feature: number): void;
  /** Calls `visit` for every feature, in the order of first occurrence, and empties the table. */
  drain(visit: (feature: number, count: number) => void): void;
}

/** Makes a table; `features` is how many are expected, it grows by itself. */
export function createCounts(features = 4096): FeatureCounts {
  let mask = 2 ** Math.ceil(Math.log2(features * 2)) - 1;
  let keys = new Uint32Array(mask + 1);
  let counts = new Uint32Array(mask + 1);
  let used = new Uint32Array((mask + 1) / 2);
  let size = 0;

  const slotOf = (feature: number): number => {
    let slot = (feature ^ (feature >>> 15)) & mask;
    while (counts[slot] !== 0 && keys[slot] !== feature) slot = (slot + 1) & mask;
    return slot;
  };

  const grow = () => {
    const old = { keys, counts, used };
    mask = mask * 2 + 1;
    keys = new Uint32Array(mask + 1);
    counts = new Uint32Array(mask + 1);
    used = new Uint32Array((mask + 1) / 2);
    for (let index = 0; index < size; index += 1) {
      const from = old.used[index] ?? 0;
      const feature = old.keys[from] ?? 0;
      const slot = slotOf(feature);
      keys[slot] = feature;
      counts[slot] = old.counts[from] ?? 0;
      used[index] = slot;
    }
  };

  return {
    add(feature) {
      const key = feature >>> 0;
      let slot = slotOf(key);
      if (counts[slot] === 0) {
        if (size === used.length) {
          grow();
          slot = slotOf(key);
        }
        keys[slot] = key;
        used[size] = slot;
        size += 1;
      }
      counts[slot] = (counts[slot] ?? 0) + 1;
    },
    drain(visit) {
      for (let index = 0; index < size; index += 1) {
        const slot = used[index] ?? 0;
        visit(keys[slot] ?? 0, counts[slot] ?? 0);
        counts[slot] = 0;
      }
      size = 0;
    },
  };
}
