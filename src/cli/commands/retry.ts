import { namedJob } from '../candidate.ts';
import { type GlobalOptions, withApi } from '../context.ts';
import { print } from '../output.ts';

/** Has one job done again. */
export async function retry(options: GlobalOptions, job: string): Promise<number> {
  return withApi(options, 'retry', async (api) => {
    const { campaign, ordinal } = await namedJob(api, job);
    print(await api.retry(campaign, ordinal), options.json, ({ added, first }) => {
      const said = added
        ? `job ${ordinal} of ${campaign} is tried again when the next jobs are planned, as a job of its own`
        : `job ${ordinal} of ${campaign} waits for its other try already`;
      return first === null ? said : `${said}\n${first}`;
    });
    return 0;
  });
}
