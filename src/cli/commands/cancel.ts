import { namedJob } from '../candidate.ts';
import { type GlobalOptions, withApi } from '../context.ts';
import { print } from '../output.ts';

/** Ends one job. */
export async function cancel(options: GlobalOptions, job: string): Promise<number> {
  return withApi(options, 'cancel', async (api) => {
    const { campaign, ordinal } = await namedJob(api, job);
    print(
      await api.cancel(campaign, ordinal),
      options.json,
      ({ was }) => `job ${ordinal} of ${campaign} is cancelled, it was ${was}; it stays charged to the budget`,
    );
    return 0;
  });
}
