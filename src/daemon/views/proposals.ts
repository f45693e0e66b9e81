import type { Kysely } from 'kysely';
import { clip } from '../../evaluator/index.ts';
import { type CampaignRow, type Json, listProposals, type ProposalLine, type Tables } from '../../store/index.ts';
import { type CampaignSource, sourceOf } from './source.ts';

/** `after`: the last ordinal of the page before. */
export interface ProposalQuery {
  readonly after: number;
  readonly limit: number;
}

/** What an agent proposed in one round of a job; plain JSON. */
export interface ProposalView {
  readonly ordinal: number;
  readonly round: number;
  readonly base: { readonly ordinal: number; readonly tree: string };
  /** What the worktree began with. */
  readonly start: { readonly commit: string; readonly tree: string };
  /** Null when no commit came of it. */
  readonly made: { readonly commit: string; readonly tree: string } | null;
  readonly coder: string | null;
  readonly title: string;
  readonly summary: string;
  readonly plan: string | null;
  readonly transcript: string;
  readonly outcome:
    | { readonly kind: 'finished' }
    | { readonly kind: 'nothing'; readonly detail: string }
    | { readonly kind: 'failed'; readonly stage: string; readonly failure: string; readonly detail: string };
  readonly usage: Json;
  /** ISO 8601; null when that was not kept. */
  readonly madeAt: string | null;
}

/** At most `limit` jobs, with all rounds of each; the commits are in its hub on this machine. */
export interface ProposalPage extends CampaignSource {
  readonly proposals: readonly ProposalView[];
  /** The last job of the page, from which the next one begins; null at the end. */
  readonly next: number | null;
}

/** Longest transcript and plan that are given, in UTF-16 units. */
const TEXT_LENGTH = 16_384;

export async function readProposals(db: Kysely<Tables>, row: CampaignRow, query: ProposalQuery): Promise<ProposalPage> {
  const lines = await listProposals(db, row.id, query);
  const next = lines.length < query.limit ? null : (lines.at(-1)?.ordinal ?? null);
  return { ...sourceOf(row), proposals: lines.flatMap(roundsOf), next };
}

/** The rounds of a job: those that went back, and the one that counts. Each began with what the one before it had made. */
function roundsOf(line: ProposalLine): ProposalView[] {
  const { ordinal, coder, revisions } = line;
  const base = { ordinal: line.base.ordinal, tree: line.base.tree };
  const shared = { ordinal, base, coder, plan: clipped(line.plan) };
  let start = { commit: line.base.commit, tree: line.base.tree };
  const rounds: ProposalView[] = [];
  for (const { round, commit, tree, title, summary, transcript, madeAt } of revisions) {
    const made = { commit, tree };
    rounds.push({
      ...{ ...shared, round, start, made, title, summary },
      transcript: clipped(transcript) ?? '',
      outcome: { kind: 'finished' },
      usage: null,
      madeAt: madeAt.toISOString(),
    });
    start = made;
  }
  rounds.push({
    ...{ ...shared, round: line.round, start },
    made: line.commit === null || line.tree === null ? null : { commit: line.commit, tree: line.tree },
    title: line.title ?? '',
    summary: line.summary ?? '',
    transcript: clipped(line.transcript) ?? '',
    outcome: outcomeOf(line),
    usage: line.usage,
    madeAt: line.finishedAt?.toISOString() ?? null,
  });
  return rounds;
}

function clipped(text: string | null): string | null {
  return text === null ? null : clip(text, TEXT_LENGTH);
}

/** How the agent ended: what its evaluator, or a duplicate, made of a commit later is not the agent's. */
function outcomeOf({ commit, outcome, stage, failureKind, reason }: ProposalLine): ProposalView['outcome'] {
  if (commit !== null) return { kind: 'finished' };
  const detail = reason ?? '';
  if (outcome === 'no_change') return { kind: 'nothing', detail };
  return { kind: 'failed', stage: stage ?? '', failure: failureKind ?? '', detail };
}
