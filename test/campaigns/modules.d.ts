/** The types of the evaluators' modules that the tests look into; evaluators are plain JavaScript, pinned as they are. */

declare module '*/markdown-it/paired.mjs' {
  export interface Comparison {
    readonly rounds: number;
    readonly ratio: number;
    readonly standardError: number;
    readonly lower: number;
    readonly upper: number;
  }
  export function compare(logRatios: readonly number[], trim?: number): Comparison;
  export function measureRounds(measure: (round: number) => Promise<number>, precision: number): Promise<Comparison>;
}
