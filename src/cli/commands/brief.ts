import type { BriefView } from '../../daemon/index.ts';
import { UsageError } from '../../errors.ts';
import { namedJob } from '../candidate.ts';
import { type GlobalOptions, withApi } from '../context.ts';
import { print } from '../output.ts';

/** What a job's coder was told, or will be. `job` may be left out when the name says it. */
export async function brief(options: GlobalOptions, name: string, job?: string): Promise<number> {
  if (job !== undefined && !/^\d+$/.test(job)) {
    throw new UsageError(`${job} is no job: its number was expected, such as clade brief ${name} 12`);
  }
  return withApi(options, 'brief', async (api) => {
    const { campaign, ordinal } =
      job === undefined ? await namedJob(api, name) : { campaign: name, ordinal: Number(job) };
    print(await api.brief(campaign, ordinal), options.json, render);
    return 0;
  });
}

function render(view: BriefView): string {
  return view.text === null ? `job ${view.ordinal} has no brief: ${view.because}` : view.text.trimEnd();
}
