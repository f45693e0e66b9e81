import { base } from './base.ts';
import { constraints } from './constraints.ts';
import { failures } from './failures.ts';
import { goal } from './goal.ts';
import { inspirations } from './inspirations.ts';
import { lessons } from './lessons.ts';
import { lineage } from './lineage.ts';
import { plan } from './plan.ts';
import { rework } from './rework.ts';
import { scope } from './scope.ts';

/** One named part of a brief, bounded, in Markdown. */
export interface BriefSection {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** What an agent is told; stored with the job. */
export interface Brief {
  readonly sections: readonly BriefSection[];
}

/** A candidate as a brief speaks of it. */
export interface Relative {
  readonly ordinal: number;
  readonly title: string;
  /** Raw values by objective, as the evaluator gave them; null when there is no valid evaluation. */
  readonly objectives: Readonly<Record<string, number>> | null;
  readonly summary: string;
  readonly evidence: string;
  /** Unified diff; of an inspiration relative to the base, empty where it is of no use. */
  readonly diff: string;
}

/** Everything that a brief is composed from. */
export interface BriefInput {
  /** Who reads it: a planner is asked for a plan, a coder for code. */
  readonly audience: 'planner' | 'coder';
  readonly goal: string;
  readonly constraints: readonly string[];
  readonly objectives: readonly { readonly name: string; readonly direction: 'maximize' | 'minimize' }[];
  readonly edit: readonly string[];
  readonly protect: readonly string[];
  readonly base: Relative;
  /** What the steps of the evaluator did with the base, in order; without one that is the whole evaluator. */
  readonly steps: readonly StepReport[];
  /** Ancestors of the base, oldest first, without the base. */
  readonly lineage: readonly Relative[];
  readonly inspirations: readonly Relative[];
  /** Failed attempts worth avoiding, the latest first. */
  readonly failures: readonly Failure[];
  /** What the campaign has learned so far; empty when nothing. */
  readonly lessons: string;
  /** The planner's, for the coder; empty without one. */
  readonly plan: string;
  /** Why the coder is asked once more; null at the first time. */
  readonly rework: Rework | null;
}

/** A proposal that comes back to its coder, whose changes are in the worktree. */
export interface Rework {
  readonly cause: 'rework' | 'novelty';
  /** One line. */
  readonly reason: string;
  readonly evidence: string;
}

/** A step of the evaluator as a brief speaks of it. Without its duration: the same campaign gives the same briefs. */
export interface StepReport {
  readonly name: string;
  readonly status: 'passed' | 'failed';
  readonly summary: string;
}

/** What was tried and how it failed. */
export interface Failure {
  readonly title: string;
  readonly reason: string;
  /** Of the evaluator; empty where it was not asked. */
  readonly evidence: string;
  /** The end of what the step that failed printed, empty where there was none. */
  readonly output: string;
}

/** A section's module: what it has to say of `input`, null when nothing. */
export interface SectionWriter {
  readonly name: string;
  readonly title: string;
  readonly write: (input: BriefInput) => string | null;
}

const WRITERS: readonly SectionWriter[] = [
  goal,
  constraints,
  scope,
  base,
  lineage,
  inspirations,
  failures,
  lessons,
  plan,
  rework,
];

/** Writes every section that has something to say, in a fixed order. Pure. */
export function composeBrief(input: BriefInput): Brief {
  const sections: BriefSection[] = [];
  for (const writer of WRITERS) {
    const text = writer.write(input);
    if (text !== null) sections.push({ name: writer.name, title: writer.title, text });
  }
  return { sections };
}

/** The brief as one Markdown document. Pure. */
export function renderBrief(brief: Brief): string {
  return brief.sections.map((section) => `# ${section.title}\n\n${section.text.trim()}\n`).join('\n');
}
