import { namedCandidate } from '../candidate.ts';
import { type GlobalOptions, withApi } from '../context.ts';
import { objectives, print, table } from '../output.ts';

/** The ancestors of a candidate, the root first. */
export async function lineage(options: GlobalOptions, name: string): Promise<number> {
  return withApi(options, 'lineage', async (api) => {
    const view = await namedCandidate(api, name);
    print(view.lineage, options.json, (line) =>
      table(
        ['job', 'commit', 'objectives', 'what'],
        line.map((step) => [step.ordinal, step.commit.slice(0, 12), objectives(step.objectives), step.title]),
      ),
    );
    return 0;
  });
}
