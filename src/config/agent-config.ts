/** Who proposes candidates, resolved. See `campaign.ts`. */

export interface AgentsConfig {
  readonly concurrency: number;
  /** Null: coders get no plan. */
  readonly planner: PlannerConfig | null;
  /** At least one; more than one is an ensemble. */
  readonly coders: readonly CoderMember[];
  readonly choose: 'weights' | 'bandit';
  /** Times that a candidate which fails build or test goes back to its coder. */
  readonly rework: number;
  /** Cosine distance to a retained candidate below which a proposal is reworked once; 0 = off. */
  readonly novelty: number;
  readonly brief: BriefConfig;
}

export interface CoderMember {
  readonly name: string;
  readonly weight: number;
  readonly agent: AgentConfig;
}

export interface BriefConfig {
  /** Sections that are left out. */
  readonly without: readonly string[];
  /** Settled jobs between two rewritings of the lessons; 0 = never. */
  readonly lessonsEvery: number;
  /** Metrics of an evaluation that are told. */
  readonly metrics: number;
}

export interface MutateConfig {
  readonly kind: 'mutate';
  readonly timeoutMs: number;
  /** How many edits one proposal makes, both ends included. */
  readonly edits: { readonly min: number; readonly max: number };
}

/** What agents that are processes of their own have in common. */
interface ProcessConfig {
  /** Executable and arguments; empty with a preset that has not been given another executable. */
  readonly command: readonly string[];
  /** Name of a `ProviderServer`. */
  readonly provider: string;
  readonly model: string | null;
  readonly timeoutMs: number;
  /** Names of environment variables passed through. */
  readonly env: readonly string[];
  readonly network: boolean;
}

export interface CommandConfig extends ProcessConfig {
  readonly kind: 'command';
  readonly preset: 'codex' | 'claude' | 'opencode' | 'kilo' | 'gemini' | 'aider' | null;
}

export interface AcpConfig extends ProcessConfig {
  readonly kind: 'acp';
  readonly preset: 'codex' | 'opencode' | 'kilo' | 'gemini' | null;
}

export interface OpenaiConfig {
  readonly kind: 'openai';
  readonly provider: string;
  readonly model: string;
  readonly api: 'responses' | 'chat';
  readonly format: 'tools' | 'diff' | 'whole';
  readonly turns: number;
  readonly outputTokens: number;
  readonly contextTokens: number;
  readonly temperature: number | null;
  readonly reasoning: 'minimal' | 'low' | 'medium' | 'high' | null;
  readonly timeoutMs: number;
}

export interface ReplayConfig {
  readonly kind: 'replay';
  /** Absolute folder of a recording. */
  readonly from: string;
  readonly timeoutMs: number;
}

export type PlannerConfig = OpenaiConfig | CommandConfig | AcpConfig;
export type AgentConfig = MutateConfig | CommandConfig | AcpConfig | OpenaiConfig | ReplayConfig;
