/** A seeded source of random numbers; equal seeds give equal numbers on every machine. */
export interface Random {
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number;
  /** From 0 to below 1. */
  real(): number;
  chance(probability: number): boolean;
  shuffle<T>(items: readonly T[]): T[];
}

/** SplitMix32 (Steele, Lea, Flood 2014): 32 random bits a call, more than generated instances need. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const bits = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const real = (): number => bits() / 2 ** 32;
  const int = (low: number, high: number): number => low + Math.floor(real() * (high - low + 1));
  return {
    int,
    real,
    chance: (probability) => real() < probability,
    shuffle: (items) =>
      items
        .map((item) => ({ item, key: bits() }))
        .sort((a, b) => a.key - b.key)
        .map(({ item }) => item),
  };
}
