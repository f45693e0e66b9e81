/**
 * The resolved campaign: every default filled in, every duration in milliseconds, local paths absolute. Only
 * `normalise` builds it, and it is frozen all the way down.
 */

import type { AgentsConfig } from './agent-config.ts';
import type { Receiver } from './notify.ts';
import type { Objective } from './objective.ts';
import type { ProviderServer } from './providers.ts';

export type { Objective };

export interface Campaign {
  /** `[a-z0-9][a-z0-9-]{0,62}`; the folder's name when the file gives none. */
  readonly name: string;
  /** Absolute folder of campaign.yaml; relative paths of the file are relative to it. */
  readonly directory: string;
  readonly target: Target;
  readonly goal: string;
  readonly constraints: readonly string[];
  readonly evaluator: EvaluatorConfig;
  readonly agents: AgentsConfig;
  /** Model servers, the known ones with them. */
  readonly providers: readonly ProviderServer[];
  readonly search: SearchConfig;
  readonly budget: Budget;
  readonly limits: Limits;
  readonly keep: Keep;
  /** Who is told what happens. */
  readonly notify: readonly Receiver[];
  readonly sandbox: 'required' | 'prefer' | 'off';
}

/** Of how many of the newest settled jobs bulky things are kept; null: of all. */
export interface Keep {
  readonly artifacts: number | null;
  readonly transcripts: number | null;
  readonly recordings: number | null;
  readonly logs: number | null;
}

/** What one run of an agent or of an evaluation may use; null is no limit. */
export interface Limits {
  /** Of all its processes together, with what they keep in a private /tmp. */
  readonly memoryBytes: number | null;
  /** Of any one file. */
  readonly fileBytes: number | null;
  /** What may lie on the disk at one time of all that it wrote to its folders; every file counts 4 KiB more than it holds. */
  readonly diskBytes: number | null;
  /** Of the private /tmp, which is memory; only where there is one (isolation level 2 up). */
  readonly tmpBytes: number | null;
  /** CPU time of each process; the run as a whole has its deadline. */
  readonly cpuMs: number | null;
}

export interface Target {
  /** A URL as written, or the absolute path of a repository or plain folder. */
  readonly repository: string;
  /** A URL or an absolute path where the same repository is fetched from instead; never of the file, never stored. */
  readonly mirror: string | null;
  /** Any revision; `HEAD` by default. */
  readonly root: string;
  /** gitignore patterns of what a candidate may change. */
  readonly edit: readonly string[];
  /** gitignore patterns of what it may not; wins over `edit`. */
  readonly protect: readonly string[];
  readonly prepare: readonly string[];
  readonly link: readonly string[];
  readonly setup: readonly string[];
}

export type Split = 'train' | 'validation' | 'holdout';

export interface EvaluatorConfig {
  /** Run in order, the first failure decides; a file with `command` gives one step of kind null. */
  readonly steps: readonly EvaluatorStep[];
  /** Executable and arguments of what fills the cache and the root checkout before any candidate; null: nothing does. */
  readonly prepare: readonly string[] | null;
  readonly timeoutMs: number;
  /** Between TERM and KILL once the time is up. */
  readonly graceMs: number;
  readonly concurrency: number;
  /** CPUs of which each evaluation leases one; empty = no pinning. */
  readonly cpus: readonly number[] | 'auto';
  /** The first is the primary. */
  readonly objectives: readonly Objective[];
  readonly splits: readonly Split[];
  readonly hidden: readonly HiddenPath[];
  readonly remeasure: Remeasure;
  readonly finals: Finals;
  readonly network: boolean;
  /** Names of environment variables passed through. */
  readonly env: readonly string[];
}

export interface EvaluatorStep {
  readonly name: string;
  /** What its failure means; null for the one step of a file with `command`, whose result says it. */
  readonly kind: 'build' | 'test' | 'gate' | 'scope' | 'benchmark' | 'other' | null;
  /** Executable and arguments; `./x` is a file of the campaign folder. */
  readonly command: readonly string[];
  readonly timeoutMs: number;
  /** By the name of an objective or a metric. */
  readonly require: Readonly<Record<string, Range>>;
}

/** Both ends included. */
export interface Range {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** No agent sees it; of the evaluations, those of its splits do. */
export interface HiddenPath {
  /** Absolute. */
  readonly path: string;
  readonly splits: readonly Split[];
}

export interface Remeasure {
  readonly incumbent: boolean;
  /** Relative gain over the leader; 0 = off. */
  readonly jump: number;
}

export interface Finals {
  readonly finalists: number;
  /** Settled jobs between checkpoints; 0 = only at the end. */
  readonly every: number;
  readonly gates: readonly (Range & { readonly name: string; readonly of: 'value' | 'bound' })[];
}

export type ProviderConfig =
  | { readonly kind: 'local'; readonly dimensions: number }
  | {
      readonly kind: 'openai';
      readonly model: string;
      readonly dimensions: number;
      /** Null is the provider's own address. */
      readonly baseUrl: string | null;
      /** Name of the environment variable that holds the key; the key itself is never stored. */
      readonly apiKeyEnv: string;
    };

export interface SearchConfig {
  readonly policy: 'quality-diversity' | 'sequential-champion' | 'independent-root';
  readonly seed: number;
  /**
   * `batch`: `size` jobs are planned together when all before them are settled, and settle in ordinal order. `streaming`: at
   * most `size` are unsettled at a time, and each settles when it is done.
   */
  readonly schedule: { readonly mode: 'batch' | 'streaming'; readonly size: number };
  /** Sub-populations that take turns; every `migrateEvery`-th job of one takes an inspiration from another, 0 = never. */
  readonly islands: { readonly count: number; readonly migrateEvery: number };
  /** Settled valid candidates before the first projection is fitted, the root among them if it is placed. */
  readonly warmup: number;
  /** Whether the root takes part in fits and fronts. */
  readonly placeRoot: boolean;
  readonly descriptor: {
    readonly kind: 'displacement' | 'repository-mean' | 'diff' | 'structural' | 'features' | 'random';
    readonly provider: ProviderConfig;
  };
  readonly projection: {
    readonly dimensions: number;
    readonly clip: number;
    /** States between two fits, and the same as a share of the states at the last fit; the larger counts. */
    readonly refit: number;
    readonly growth: number;
    readonly history: number;
  };
  /** `cells` along each dimension. */
  readonly grid: { readonly cells: number };
  readonly front: { readonly capacity: number; readonly rule: 'box' | 'pairwise' };
  readonly inspirations: {
    readonly count: number;
    readonly radius: number;
    readonly maxRadius: number;
    readonly fallback: number;
    readonly cooldown: number;
  };
}

export interface Budget {
  readonly jobs: number;
  /** Null = no limit. */
  readonly wallMs: number | null;
  /** Jobs without a better primary after which the campaign ends; 0 = off. */
  readonly noImprovement: number;
  /** Of all model calls; null = no limit. */
  readonly costUsd: number | null;
  readonly tokens: number | null;
  /** Of the model calls of one job. */
  readonly jobCostUsd: number | null;
  readonly jobTokens: number | null;
}
