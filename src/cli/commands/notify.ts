import type { RehearsalView } from '../../daemon/index.ts';
import { type GlobalOptions, withApi } from '../context.ts';
import { duration, print, table } from '../output.ts';

/** Sends a test message to everybody who is told what happens; ends with 1 when one of them did not take it. */
export async function notify(options: GlobalOptions, name: string): Promise<number> {
  return withApi(options, 'notify', async (api) => {
    const views = await api.rehearse(name);
    print(views, options.json, (sent) => render(name, sent));
    return views.every(({ problem }) => problem === null) ? 0 : 1;
  });
}

function render(name: string, sent: readonly RehearsalView[]): string {
  if (sent.length === 0)
    return `nobody is told what happens in ${name}: notify of its campaign.yaml names those who are`;
  return table(
    ['receiver', 'is told of', 'came of it', 'in'],
    sent.map(({ receiver, on, problem, durationMs }) => [
      receiver,
      on.join(', '),
      problem ?? 'taken',
      durationMs < 1_000 ? `${durationMs} ms` : duration(durationMs),
    ]),
  );
}
