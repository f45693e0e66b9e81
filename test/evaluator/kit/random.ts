export interface RandomSource {
  /** In (0, 1). */
  uniform(): number;
  /** Standard normal (Box and Muller 1958). */
  normal(): number;
  /** Student's t: heavy tails. */
  student(degrees: number): number;
}

/** Seeded, so that a simulation gives the same figures wherever it runs. SplitMix32 (Steele, Lea, Flood 2014). */
export function randomSource(seed: number): RandomSource {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let bits = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return (((bits ^ (bits >>> 15)) >>> 0) + 0.5) / 2 ** 32;
  };
  const normal = (): number => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  const student = (degrees: number): number => {
    let squares = 0;
    for (let i = 0; i < degrees; i += 1) squares += normal() ** 2;
    return normal() / Math.sqrt(squares / degrees);
  };
  return { uniform, normal, student };
}
