/** The types of the evaluators' modules that the tests look into; evaluators are plain JavaScript, pinned as they are. */

declare module '*/circle-packing/exact.mjs' {
  export interface Circle {
    readonly x: number;
    readonly y: number;
    readonly r: number;
  }
  export const ONE: bigint;
  export function exact(value: number): bigint;
  export function violations(circles: readonly Circle[]): { outside: number[]; overlapping: [number, number][] };
}

declare module '*/circle-packing/source.mjs' {
  export interface Token {
    readonly text: string;
    readonly lineBefore: boolean;
  }
  export function tokens(text: string): Token[];
  export function cost(list: readonly Token[]): number;
  export function program(list: readonly Token[]): string;
}

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
