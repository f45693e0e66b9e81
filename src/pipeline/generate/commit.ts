import type { Proposal } from '../../agent/index.ts';
import { ScopeError } from '../../errors.ts';
import { candidateRef, commitProposal, updateRef } from '../../git/index.ts';
import type { Workshop } from '../workshop.ts';
import type { Generated, GenerateInput, Told } from './job.ts';

/** A hub keeps what is committed for ever. */
const MOST_BYTES = 2 ** 30;

/** The one commit of what differs from the base, or why there is none. */
export async function commit(
  workshop: Workshop,
  input: GenerateInput,
  { proposal, told, worktree }: { readonly proposal: Proposal; readonly told: Told; readonly worktree: string },
): Promise<Generated> {
  const { campaign, hub } = workshop;
  const { earlier, base, ordinal } = input;
  try {
    const proposed = await commitProposal(hub, {
      worktree,
      base: base.commit,
      scope: campaign.target,
      mostBytes: Math.min(MOST_BYTES, campaign.limits.diskBytes ?? MOST_BYTES),
      ignore: campaign.target.link,
      message: commitMessage(campaign.name, input, proposal),
      campaign: campaign.name,
      ordinal,
      date: new Date((workshop.rootSeconds + ordinal) * 1000),
      earlier,
    });
    if (proposed.kind === 'commit') return { ...told, ...proposed, kind: 'candidate', parent: base.commit };
    return await standing(workshop, input, withoutChange(proposal, told));
  } catch (error) {
    if (!(error instanceof ScopeError)) throw error;
    const refused = { ...told, kind: 'failed', stage: 'scope', failure: 'scope', reason: error.message } as const;
    return standing(workshop, input, refused);
  }
}

function withoutChange(proposal: Proposal, told: Told): Generated & { readonly reason: string } {
  const { outcome } = proposal;
  const why = outcome.kind === 'finished' ? outcome.doubt : outcome;
  if (why === undefined) return { ...told, kind: 'no_change', reason: 'the agent changed nothing' };
  if (why.kind === 'nothing') return { ...told, kind: 'no_change', reason: why.detail };
  return { ...told, kind: 'failed', stage: 'agent', failure: why.kind, reason: why.detail };
}

/** In a later round nothing new means that the proposal which came back stands, and is held by the job's ref as before. */
export async function standing(
  { hub, campaign }: Workshop,
  { earlier, ordinal }: GenerateInput,
  made: Generated & { readonly reason: string },
): Promise<Generated> {
  if (earlier === null) return made;
  // A process that died between its commit and its record may have moved it.
  await updateRef(hub, candidateRef(campaign.name, ordinal), earlier.commit);
  const { title, summary, brief, transcript, plan, planless, coder, usage, reason } = made;
  return { title, summary, brief, transcript, plan, planless, coder, usage, kind: 'stands', reason };
}

/** The trailers are part of the commit id; they hold nothing that differs between two runs of the same campaign. */
export function commitMessage(
  campaign: string,
  input: { readonly ordinal: number; readonly base: { readonly ordinal: number } },
  proposal: { readonly title: string; readonly summary: string },
): string {
  const title = proposal.title === '' ? `Candidate ${input.ordinal}` : proposal.title;
  const body = proposal.summary.trim();
  const trailers = `Clade-Campaign: ${campaign}\nClade-Job: ${input.ordinal}\nClade-Base: ${input.base.ordinal}\n`;
  return body === '' || body === title ? `${title}\n\n${trailers}` : `${title}\n\n${body}\n\n${trailers}`;
}
