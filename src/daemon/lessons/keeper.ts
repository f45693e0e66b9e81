import { askOnce } from '../../agent/index.ts';
import type { Campaign, OpenaiConfig } from '../../config/index.ts';
import { appendEvents, insertLessons, latestExperiences, lessonsAt } from '../../store/index.ts';
import { errorText } from '../error-text.ts';
import { leading } from '../leading.ts';
import type { Session } from '../session.ts';
import { LESSON_LENGTH, questionOf } from './question.ts';

/** Keeps the lessons of a campaign up to date while it runs. */
export interface LessonKeeper {
  /**
   * Has the lessons written anew when enough was settled since; says whether the next jobs may be planned. In batches they wait for it, so
   * that what a batch is told does not depend on how fast a model is.
   */
  ready(settled: number): boolean;
  /** Resolves when nothing is being written: at once after the signal, else when the model has answered. */
  idle(): Promise<void>;
}

export interface KeeperOptions {
  /** Ends the writing. */
  readonly signal: AbortSignal;
  /** Called when it is over. */
  readonly wake: () => void;
}

/** For one answer of the model with all its retries. */
const DEADLINE_MS = 5 * 60_000;

/**
 * Jobs that are told at once, the latest of those that settled since the present lessons. Not as many as there should be between two lessons:
 * batches are not cut where lessons are due, and a failed try leaves its jobs to the next.
 */
const REPORTS = 64;

/** Settled jobs at which lessons are due, the latest; 0 when none are. Pure. */
export function dueAt(every: number, settled: number): number {
  return every === 0 ? 0 : Math.floor(settled / every) * every;
}

/** The model that writes them: the planner's, else that of the first coder which has one. */
export function lessonWriter({ agents }: Pick<Campaign, 'agents'>): OpenaiConfig | null {
  const all = [agents.planner, ...agents.coders.map(({ agent }) => agent)];
  return all.find((agent) => agent?.kind === 'openai') ?? null;
}

/** @param last settled jobs when they were written last, or tried to be */
export function createKeeper(session: Session, last: number, { signal, wake }: KeeperOptions): LessonKeeper {
  const { campaign } = session;
  const every = campaign.agents.brief.lessonsEvery;
  const batches = campaign.search.schedule.mode === 'batch';
  let tried = last;
  let writing: Promise<void> | null = null;
  return {
    ready(settled) {
      if (writing === null && dueAt(every, settled) > tried) {
        tried = settled;
        writing = write(session, settled, signal).finally(() => {
          writing = null;
          wake();
        });
      }
      return writing === null || !batches;
    },
    async idle() {
      await writing;
    },
  };
}

/** Never throws: without new lessons the old ones stay, until they are due again. */
async function write(session: Session, settled: number, signal: AbortSignal): Promise<void> {
  const { campaignId } = session;
  try {
    const text = await ask(session, settled, signal);
    // One that was taken for dead meanwhile must not write: what a batch is told would change under it.
    await leading(session, async (trx) => {
      await insertLessons(trx, { campaignId, settled, text });
      await appendEvents(trx, [{ campaignId, kind: 'lessons.written', data: { settled, characters: text.length } }]);
    });
  } catch (error) {
    if (signal.aborted) return;
    const data = { what: 'the lessons', message: errorText(error) };
    // The database may be what is away; then the next fault says so.
    await leading(session, (trx) => appendEvents(trx, [{ campaignId, kind: 'fault', data }])).catch(() => undefined);
  }
}

async function ask(
  { store, campaignId, campaign, models }: Session,
  settled: number,
  signal: AbortSignal,
): Promise<string> {
  const config = lessonWriter(campaign);
  const [primary] = campaign.evaluator.objectives;
  if (config === null || primary === undefined) throw new RangeError('a rule of the configuration refuses this');
  const before = await lessonsAt(store.db, campaignId);
  const news = Math.min(REPORTS, settled - (before?.settled ?? 0));
  const tried = await latestExperiences(store.db, campaignId, news);
  const question = questionOf(campaign.goal, primary, before?.text ?? '', tried.toReversed());
  const run = await models.openModels({ ordinal: null, role: 'lessons', coder: null, timeoutMs: DEADLINE_MS });
  try {
    const until = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
    return (await askOnce(config, run.access, question, until)).trim().slice(0, LESSON_LENGTH).toWellFormed();
  } finally {
    run.close();
  }
}
