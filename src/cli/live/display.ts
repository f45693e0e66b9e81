import type { CampaignStatus, SettledJob } from '../../daemon/index.ts';
import { harmless, objectives, percent } from '../output.ts';
import { viewLines } from './view.ts';

/** Shows a run to a person: a picture that is redrawn on a terminal, plain lines elsewhere. */
export interface Display {
  settled(job: SettledJob): void;
  note(message: string): void;
  close(): Promise<void>;
}

const FRAME_MS = 250;

export function createDisplay(read: () => Promise<CampaignStatus>, address: string): Display {
  return process.stdout.isTTY ? terminalDisplay(read, address) : plainDisplay(read, address);
}

/** One line for each settled job, with the best so far where it changed. */
function plainDisplay(read: () => Promise<CampaignStatus>, address: string): Display {
  let best = -1;
  let told: Promise<void> = Promise.resolve();
  const write = (line: string): void => void process.stdout.write(`${harmless(line)}\n`);
  write(`dashboard ${address}`);
  const tell = async (job: SettledJob): Promise<void> => {
    const status = await read();
    const values = objectives(job.objectives);
    const why = job.objectives === null && job.failureKind !== null ? ` (${job.stage}/${job.failureKind})` : '';
    write(`[${job.ordinal}/${status.budget.jobs}] ${job.outcome}${why}  ${job.title ?? ''}  ${values}`.trimEnd());
    if (status.best !== null && status.best.ordinal === job.ordinal && job.ordinal !== best) {
      best = job.ordinal;
      if (job.ordinal > 0) write(`      best so far ${percent(status.gain)} over the root`);
    }
  };
  return {
    settled(job) {
      // A status that cannot be read now costs a line and not the run.
      told = told
        .then(() => tell(job))
        .catch((error) => write(`[${job.ordinal}] ${job.outcome} (no status: ${error})`));
    },
    note: write,
    close: () => told,
  };
}

/** Redraws a few times a second; what is noted stays above the picture. */
function terminalDisplay(read: () => Promise<CampaignStatus>, address: string): Display {
  let drawn = 0;
  let closed = false;
  let drawing: Promise<void> | null = null;
  const erase = (): string => (drawn === 0 ? '' : `\u001b[${drawn}A\u001b[0J`);
  const draw = async (): Promise<void> => {
    const lines = viewLines(await read(), address, process.stdout.columns);
    process.stdout.write(`${erase()}${lines.join('\n')}\n`);
    drawn = lines.length;
  };
  const frame = (): void => {
    if (closed || drawing !== null) return;
    // A campaign that is not registered yet has nothing to show; the next frame tries again.
    drawing = draw()
      .catch(() => undefined)
      .finally(() => {
        drawing = null;
      });
  };
  const timer = setInterval(frame, FRAME_MS);
  return {
    settled: frame,
    note(message) {
      process.stdout.write(`${erase()}${harmless(message)}\n`);
      drawn = 0;
      frame();
    },
    async close() {
      clearInterval(timer);
      await drawing;
      closed = true;
      await draw().catch(() => undefined);
    },
  };
}
