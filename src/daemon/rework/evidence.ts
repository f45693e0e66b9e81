import type { Kysely } from 'kysely';
import { findEvaluation, listStages, type Tables } from '../../store/index.ts';

const EVIDENCE_CHARACTERS = 6_000;
const OUTPUT_CHARACTERS = 4_000;

/** What the evaluator gave as evidence of a refused tree, and the end of what the step that failed printed. */
export async function evidenceOf(
  db: Kysely<Tables>,
  { campaignId, tree }: { readonly campaignId: number; readonly tree: string },
): Promise<string> {
  const evaluation = await findEvaluation(db, { campaignId, tree, split: 'train' });
  const stages = await listStages(db, { campaignId, tree });
  const failed = stages.findLast(({ split, status }) => split === 'train' && status === 'failed');
  const evidence = (evaluation?.evidence ?? '').trim().slice(0, EVIDENCE_CHARACTERS).toWellFormed();
  // A test that fails may say so on either stream; what is on stderr is seldom beside the point.
  const streams = [failed?.stdoutTail, failed?.stderrTail, evaluation?.stdoutTail, evaluation?.stderrTail];
  const own = failed === undefined ? streams.slice(2) : streams.slice(0, 2);
  const output = own.findLast((text) => (text ?? '').trim() !== '') ?? '';
  const end = output.trim().slice(-OUTPUT_CHARACTERS).toWellFormed();
  if (end === '' || evidence.includes(end)) return evidence;
  return `${evidence === '' ? '' : `${evidence}\n\n`}The end of its output:\n\n${end}`;
}
