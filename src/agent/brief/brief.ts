import { base } from './base.ts';
import { constraints } from './constraints.ts';
import { evidence } from './evidence.ts';
import { failures } from './failures.ts';
import { files } from './files.ts';
import { goal } from './goal.ts';
import type { BriefInput } from './input.ts';
import { inspirations } from './inspirations.ts';
import { lessons } from './lessons.ts';
import { lineage } from './lineage.ts';
import { plan } from './plan.ts';
import { rework } from './rework.ts';
import { scope } from './scope.ts';
import { beginning } from './text.ts';

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

/** A section's module. */
export interface SectionWriter {
  readonly name: string;
  readonly title: string;
  /** Bytes that the text may have; every writer keeps well below by itself, unless what it is given is meant to break it. */
  readonly limit: number;
  /** What it has to say of `input`, null when nothing. Code blocks that it opens it closes. */
  readonly write: (input: BriefInput) => string | null;
}

/** In the order in which they are read. All limits together are what a brief can have: below 120 KiB. */
const WRITERS: readonly SectionWriter[] = [
  goal,
  constraints,
  scope,
  base,
  evidence,
  lineage,
  inspirations,
  files,
  failures,
  lessons,
  plan,
  rework,
];

/** Whoever proposes cannot do without these, whatever the campaign leaves out. */
const ALWAYS: ReadonlySet<string> = new Set([goal, scope, base, plan, rework].map(({ name }) => name));

/** Which sections a campaign has: `agents.brief`. */
export interface BriefChoice {
  /** Names of sections that are left out; goal, scope, base, plan and rework cannot be. */
  readonly without: readonly string[];
}

/** Writes every section that has something to say and is not left out, in a fixed order. Pure. */
export function composeBrief(input: BriefInput, { without }: BriefChoice): Brief {
  const sections: BriefSection[] = [];
  for (const { name, title, limit, write } of WRITERS) {
    if (without.includes(name) && !ALWAYS.has(name)) continue;
    const text = write(input);
    if (text !== null) sections.push({ name, title, text: beginning(text.trim().toWellFormed(), limit) });
  }
  return { sections };
}

/** The brief as one Markdown document. Pure. */
export function renderBrief(brief: Brief): string {
  return brief.sections.map((section) => `# ${section.title}\n\n${section.text}\n`).join('\n');
}
