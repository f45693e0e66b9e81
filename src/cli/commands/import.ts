import { join, resolve } from 'node:path';
import { readExport } from '../../daemon/index.ts';
import { openStore } from '../../store/index.ts';
import { databaseUrl, type GlobalOptions } from '../context.ts';
import { print } from '../output.ts';

/** Brings an exported campaign into this workspace. */
export async function importCampaign(options: GlobalOptions, given: string): Promise<number> {
  const workspace = resolve(options.workspace);
  const store = await openStore({ workspace, label: `clade import ${given}`, ...databaseUrl() });
  try {
    const { campaign, clade, directory, files } = await readExport({ store, workspace, folder: resolve(given) });
    const imported = { campaign, clade, directory, jobs: files['jobs.ndjson']?.rows ?? 0 };
    const here = join('campaigns', campaign);
    print(imported, options.json, ({ jobs }) =>
      [
        `${campaign}: ${jobs} jobs imported`,
        `to go on with it, have the campaign folder in ${here}, and clade run ${here}`,
      ].join('\n'),
    );
    return 0;
  } finally {
    await store.close();
  }
}
