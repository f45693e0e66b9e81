import type { CampaignStatus } from '../../daemon/index.ts';
import { type GlobalOptions, withApi } from '../context.ts';
import { print } from '../output.ts';

/** The command that pauses, resumes or stops a campaign. */
export function steer(act: 'pause' | 'resume' | 'stop') {
  return (options: GlobalOptions, name: string): Promise<number> =>
    withApi(options, act, async (api) => {
      print(await api[act](name), options.json, (status) => render(act, status));
      return 0;
    });
}

function render(act: 'pause' | 'resume' | 'stop', { name, state, running, inFlight }: CampaignStatus): string {
  if (act === 'resume' && !running) return `${name} may go on; nobody runs it now: clade run, or clade daemon`;
  const flying = inFlight.filter((flight) => flight.stage !== 'waiting').length;
  const rest =
    act !== 'resume' && flying > 0
      ? `; ${flying} ${flying === 1 ? 'job' : 'jobs'} in flight will be finished and kept`
      : '';
  return `${name} is ${state}${rest}`;
}
