import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What a benchmark is told. Equal for root and candidate. */
export interface Context {
  /** Of the evaluation and its split: other seeds, other inputs. */
  readonly seed: number;
  readonly split: string;
  readonly campaignDir: string;
  /** The root's folder of packages. */
  readonly modules: string;
}

/** Something to answer, before anything is timed. */
export interface Case {
  readonly name: string;
  /** JSON. */
  readonly input: unknown;
  /** What the answer must be; without it, the root's answer. */
  readonly expected?: string;
}

/** Which input to make. Equal for root and candidate, other in each round: a cache of earlier results gains nothing. */
export interface Round {
  readonly seed: number;
  readonly phase: 'warmup' | 'timed';
}

/** The benchmark module of a campaign, see README.md. */
export interface Benchmark {
  setup?(module: unknown, context: Context): unknown;
  input?(state: unknown, round: Round): unknown;
  run(state: unknown, input: unknown): unknown;
  output?(result: unknown): string | Promise<string>;
  answer?(state: unknown, input: unknown): string | Promise<string>;
  cases?(context: Context): readonly Case[] | Promise<readonly Case[]>;
  same?(actual: string, expected: string): boolean;
}

/** @throws TypeError when it is not a benchmark module */
export async function loadBenchmark(campaignDir: string, path: string): Promise<Benchmark> {
  const module: Partial<Benchmark> = await import(pathToFileURL(join(campaignDir, path)).href);
  if (!isBenchmark(module)) throw new TypeError(`${path} exports no function "run"`);
  if ((module.cases === undefined) !== (module.answer === undefined)) {
    throw new TypeError(`${path} must export both "cases" and "answer", or neither`);
  }
  return module;
}

function isBenchmark(module: Partial<Benchmark>): module is Benchmark {
  return typeof module.run === 'function';
}
