import { type GlobalOptions, withApi } from '../context.ts';
import { print, table } from '../output.ts';

export interface LogOptions extends GlobalOptions {
  readonly limit?: number;
  readonly after?: number;
}

/** The events of a campaign after one of them, oldest first. */
export async function log(options: LogOptions, name: string): Promise<number> {
  return withApi(options, 'log', async (api) => {
    const events = await api.events(name, { after: options.after ?? 0, limit: options.limit ?? 100 });
    print(events, options.json, (page) =>
      table(
        ['id', 'at', 'event', 'job', 'data'],
        page.map(({ id, at, kind, ordinal, data }) => [id, at, kind, ordinal, JSON.stringify(data).slice(0, 100)]),
      ),
    );
    return 0;
  });
}
