import type { Explanation } from '../../daemon/index.ts';
import { namedJob } from '../candidate.ts';
import { type GlobalOptions, withApi } from '../context.ts';
import { print } from '../output.ts';

/** Why a job has its base, its inspirations and its verdict, and whether the policy would choose so again. */
export async function explain(options: GlobalOptions, name: string): Promise<number> {
  return withApi(options, 'explain', async (api) => {
    const { campaign, ordinal } = await namedJob(api, name);
    print(await api.explain(campaign, ordinal), options.json, render);
    return 0;
  });
}

function render({
  campaign,
  ordinal,
  title,
  state,
  base,
  inspirations,
  knowledge,
  coder,
  verdict,
  replay,
}: Explanation): string {
  const shown = inspirations.chosen.map((one) => `job ${one.ordinal}`).join(', ');
  return [
    `${campaign} job ${ordinal}: ${verdict.outcome ?? state}${title === null ? '' : `, ${title}`}`,
    ...section('base', base.ordinal === null ? 'none' : `job ${base.ordinal}`, base.because),
    ...section('inspirations', shown === '' ? 'none' : shown, inspirations.because),
    ...section('knowledge', '', knowledge.because),
    ...(coder.because.length === 0 ? [] : section('coder', coder.name ?? '', coder.because)),
    ...section('verdict', verdict.outcome ?? state, verdict.because),
    ...section('replay', replay.result, replay.details),
  ].join('\n');
}

function section(name: string, answer: string, because: readonly string[]): string[] {
  if (answer === '' && because.length === 0) return [];
  return ['', `${name.padEnd(13)}${answer}`.trimEnd(), ...because.map((sentence) => `  ${sentence}`)];
}
