import type { ArchiveView } from '../../daemon/index.ts';
import { type GlobalOptions, withApi } from '../context.ts';
import { objectives, print, table } from '../output.ts';

export async function archive(options: GlobalOptions, name: string): Promise<number> {
  return withApi(options, 'archive', async (api) => {
    print(await api.archive(name), options.json, render);
    return 0;
  });
}

function render(view: ArchiveView): string {
  const warming =
    view.warmup === null ? '' : `warming up: ${view.warmup.have} of ${view.warmup.need} valid candidates\n`;
  if (view.elites.length === 0) return `${view.campaign}: nothing is placed yet\n${warming}`;
  const rows = view.elites.map((elite) => [
    elite.island,
    elite.cell,
    elite.ordinal,
    elite.commit.slice(0, 12),
    objectives(elite.objectives),
    elite.title,
  ]);
  return `${warming}epoch ${view.epoch}: ${view.occupied} of ${view.cells} cells, ${view.members} members\n${table(
    ['island', 'cell', 'job', 'commit', 'objectives', 'what'],
    rows,
  )}`;
}
