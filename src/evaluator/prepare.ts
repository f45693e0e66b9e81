import { InfrastructureError, InterruptedError } from '../errors.ts';
import type { EvaluationRequest } from './evaluate.ts';
import { visibilityOf } from './hidden.ts';
import { laneFor } from './lane.ts';
import { endText } from './outcome.ts';
import { runStep } from './run-step.ts';

const TAIL_LINES = 20;

/**
 * Runs `evaluator.prepare` in the root checkout of the request, which it may fill like the cache of the split; both are
 * read-only for the evaluations that follow. It sees the contract's environment with the root as the commit, and no candidate.
 * @throws InfrastructureError when it fails, with the end of its output; InterruptedError when `signal` ended it.
 */
export async function prepareEvaluator(request: EvaluationRequest, signal: AbortSignal): Promise<void> {
  const { campaign, rootCheckout, rootCommit, cache, split } = request;
  const { prepare, timeoutMs } = campaign.evaluator;
  if (prepare === null) return;
  const lane = await laneFor(request.cpus);
  const { result } = await runStep(
    { ...request, commit: rootCommit },
    { name: 'prepare', command: prepare, timeoutMs },
    {
      cwd: rootCheckout,
      visibility: visibilityOf(campaign, split, [rootCheckout, ...(request.readOnly ?? [])]),
      prefix: lane.prefix,
      writable: [rootCheckout, cache],
      readOnly: [],
    },
    signal,
  );
  if (result.end.kind === 'cancelled') throw new InterruptedError('evaluator.prepare was interrupted');
  if (result.end.kind === 'exit' && result.end.code === 0) return;
  const output = `${result.stdout.text}\n${result.stderr.text}`.trim().split('\n').slice(-TAIL_LINES).join('\n');
  throw new InfrastructureError(`evaluator.prepare ${endText(result.end)} on ${split}:\n${output}`, {
    hint: 'it must succeed in a checkout of the root before any candidate can be measured',
  });
}
