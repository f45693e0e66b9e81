import { hostname } from 'node:os';
import { z } from 'zod';
import type { Campaign, Occasion } from '../../config/index.ts';
import type { EventRow, Json, Told } from '../../store/index.ts';

/** What a receiver gets, as JSON. */
export interface Message {
  readonly campaign: string;
  /** The id of the event: a receiver that sees one again was told twice. Null for a test. */
  readonly event: number | null;
  readonly kind: Occasion | 'test';
  /** ISO 8601. */
  readonly time: string;
  /** One plain line, by the name under which chats look for it. */
  readonly text: string;
  readonly data: { readonly [key: string]: Json };
  /** Where it comes from. */
  readonly host: string;
}

/** The events of each occasion. A campaign that a person stopped has come to its end, too. */
const EVENTS: Readonly<Record<Occasion, readonly Told[]>> = {
  best: ['campaign.best'],
  paused: ['campaign.paused'],
  finished: ['campaign.finished', 'campaign.stopped'],
  fault: ['fault'],
};

/** The kinds of events that are told on these occasions. */
export function kindsOf(on: readonly Occasion[]): Told[] {
  return on.flatMap((occasion) => EVENTS[occasion]);
}

/** What an older version or an import left out is no reason to tell nothing. */
const word = z.string().catch('?');
const bestData = z.object({ commit: word, gain: z.number().nullable().catch(null), before: z.int().catch(0) });
const causeData = z.object({ cause: z.string().nullable().catch(null) });
const faultData = z.object({ what: word, message: word });

const TEXT_LENGTH = 500;

/**
 * An event as a message. Pure but for the name of the host.
 * @param best the latest `campaign.best` before it
 */
export function messageOf(
  { name }: Pick<Campaign, 'name'>,
  event: Pick<EventRow, 'id' | 'at' | 'kind' | 'ordinal' | 'data'>,
  best: Pick<EventRow, 'ordinal' | 'data'> | undefined,
): Message {
  const { kind, text, data } = told(event, best);
  return {
    campaign: name,
    event: event.id,
    kind,
    time: event.at.toISOString(),
    text: plain(`${name}${text}`),
    data,
    host: hostname(),
  };
}

type Written = Pick<Message, 'kind' | 'text' | 'data'>;
type Best = Pick<EventRow, 'ordinal' | 'data'>;

function told(event: Pick<EventRow, 'kind' | 'ordinal' | 'data'>, best: Best | undefined): Written {
  if (event.kind === 'campaign.best') return toldOfBest(event);
  if (event.kind === 'fault') {
    const fault = faultData.parse(event.data);
    return { kind: 'fault', text: `: a fault of the machine in ${fault.what}: ${fault.message}`, data: fault };
  }
  const { cause } = causeData.parse(event.data);
  const state = event.kind.replace('campaign.', '');
  const leader = best === undefined || best.ordinal === 0 ? null : best;
  const rest = leader === null ? '' : `; best is ${jobAndGain(leader)}`;
  return {
    kind: state === 'paused' ? 'paused' : 'finished',
    text: ` is ${state}: ${cause ?? 'no cause was given'}${rest}`,
    data: { state, cause, best: leader === null ? null : dataOf(leader) },
  };
}

function toldOfBest(event: Best): Written {
  const { before } = bestData.parse(event.data);
  const text =
    event.ordinal === 0
      ? `: nothing beats the root any more, job ${before} did worse when it was measured again`
      : `: ${jobAndGain(event)} is the best so far`;
  return { kind: 'best', text, data: dataOf(event) };
}

function dataOf({ ordinal, data }: Best): Message['data'] {
  return { job: ordinal, ...z.record(z.string(), z.custom<Json>()).parse(data) };
}

/** `job 17 (+5.30 % over the root)`; a root at 0 has no percentages. */
function jobAndGain({ ordinal, data }: Best): string {
  const { gain, commit } = bestData.parse(data);
  const commitName = commit.slice(0, 12);
  if (gain === null) return `job ${ordinal} (${commitName})`;
  return `job ${ordinal} (${commitName}, ${gain < 0 ? '−' : '+'}${Math.abs(gain * 100).toFixed(2)} % over the root)`;
}

/** A message that shows whether a receiver works. */
export function testMessage({ name }: Pick<Campaign, 'name'>): Message {
  const host = hostname();
  const text = plain(`${name}: a test message of Clade on ${host}`);
  return { campaign: name, event: null, kind: 'test', time: new Date().toISOString(), text, data: {}, host };
}

/** One line without what a terminal or a chat would obey: causes hold what evaluators and agents wrote. */
function plain(text: string): string {
  const line = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .toWellFormed();
  return line.length <= TEXT_LENGTH ? line : `${line.slice(0, TEXT_LENGTH - 1).toWellFormed()}…`;
}
