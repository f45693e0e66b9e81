import type { OpenaiConfig } from '../../config/index.ts';
import { InfrastructureError } from '../../errors.ts';
import type { ModelAccess } from '../models.ts';
import { connect } from './connect.ts';
import { NoAnswerError, patiently } from './conversation/patiently.ts';

/** One question to a model that is no proposal. */
export interface Question {
  readonly system: string;
  readonly text: string;
}

/**
 * What the model answers, untrusted.
 * @throws InfrastructureError when no answer of use came; the signal's reason when it is aborted.
 */
export async function askOnce(
  config: OpenaiConfig,
  models: ModelAccess,
  { system, text }: Question,
  signal: AbortSignal,
): Promise<string> {
  const ask = connect(config, models, { system, tools: [] });
  try {
    const { turn } = await patiently(() => ask([{ kind: 'user', text }], signal), signal);
    if (turn.refusal === null && turn.text.trim() !== '') return turn.text;
    throw new NoAnswerError(turn.refusal ?? 'the answer was empty', true);
  } catch (cause) {
    if (!(cause instanceof NoAnswerError)) throw cause;
    throw new InfrastructureError(models.fault()?.message ?? cause.message, { cause });
  }
}
