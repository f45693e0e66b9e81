import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { GlobalOptions } from './context.ts';
import { reportError } from './output.ts';
import { version } from './version.ts';

const EXAMPLES = `
Examples:
  clade init ../zstd              write a campaign folder for a repository
  clade check campaigns/zstd      look for what would go wrong, measure the root
  clade run campaigns/zstd        run it, or go on with it
  clade status                    how all campaigns of this workspace stand
  clade patch zstd -o patches     the winner as patches that are proved to apply

The state is in .clade/ of the workspace. CLADE_DATABASE_URL=postgres://… moves it to a server.`;

const MIRROR = 'fetch the target from here: a path or URL of the same repository';

const count = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('a whole number from 1 on was expected.');
  return value;
};
const rounds = (text: string): number => {
  const value = count(text);
  if (value < 2) throw new InvalidArgumentError('one measurement has no spread; at least 2 were expected.');
  return value;
};
const BRIEF = `
Examples:
  clade brief zstd 12             the brief of job 12, in Markdown
  clade brief zstd:12             the same; a commit id will do, too
  clade brief zstd 12 --json      {ordinal, round, stored, text}

A planner is told the same but for its own words, and its plan is in the brief once it is there. The root, seeds
and minimised candidates have none.`;
const roles = (text: string): ('generate' | 'evaluate')[] =>
  text.split(',').map((role) => {
    if (role !== 'generate' && role !== 'evaluate')
      throw new InvalidArgumentError('generate, evaluate or both were expected.');
    return role;
  });
const WORKER = `
Examples:
  clade worker --workspace /var/lib/clade-worker
  clade worker --roles evaluate --lanes 2 --label bench-a
  clade worker --roles generate --slots 8
`;
const MINIMIZE = `
Example:
  clade patch zstd --minimize --evaluations 40 --tolerance 0.1 -o lean

drops files, then hunks, then statements as long as all gates hold, 90 % of the gain in the first
objective stay and no other objective gets worse by more than its ε. What is left is measured afresh
beside the whole, becomes a job of the campaign that no budget is charged for, and is proved as usual.`;
/** Root, candidate, one part and what confirms it. */
const LEAST_EVALUATIONS = 5;
const evaluations = (text: string): number => {
  const value = count(text);
  if (value < LEAST_EVALUATIONS) throw new InvalidArgumentError(`it takes ${LEAST_EVALUATIONS} at least.`);
  return value;
};
const share = (text: string): number => {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value >= 0 && value < 1)) throw new InvalidArgumentError('a number from 0 to below 1 was expected.');
  return value;
};
/** The longest page that the HTTP API gives. */
const MAX_PAGE = 1000;
const page = (text: string): number => {
  const value = count(text);
  if (value > MAX_PAGE) throw new InvalidArgumentError(`at most ${MAX_PAGE} are shown at once.`);
  return value;
};
const port = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65535) throw new InvalidArgumentError('a port was expected.');
  return value;
};

/** Runs one command. Returns the exit code: 0 done, 1 failed, 2 usage or configuration, 130 interrupted. */
export async function main(argv: readonly string[]): Promise<number> {
  let code = 0;
  const program = new Command('clade')
    .description('Evolves Git repositories: commits are the individuals, your evaluator is the judge.')
    .version(version())
    .option('-w, --workspace <dir>', 'the folder that holds campaigns/ and .clade/', process.cwd())
    .option('--json', 'print JSON', false)
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', EXAMPLES)
    .configureOutput({ outputError: (text, write) => write(argv.includes('--json') ? usageProblem(text) : text) })
    .exitOverride();
  /** The command's own arguments, its options together with the global ones. */
  const act =
    <T extends unknown[]>(
      load: () => Promise<(options: GlobalOptions & Record<string, unknown>, ...args: T) => Promise<number>>,
    ) =>
    async (...given: unknown[]): Promise<void> => {
      const command = given.at(-1) as Command;
      const args = given.slice(0, -2) as T;
      code = await (await load())(command.optsWithGlobals(), ...args);
    };

  program
    .command('init <repository>')
    .description('write a campaign folder for a repository, with an evaluator to fill in')
    .option('-n, --name <name>', 'name of the campaign; default: the name of the repository')
    .action(act(async () => (await import('./commands/init.ts')).init));
  program
    .command('check <campaign>')
    .description(
      'validate a campaign, measure the root again and again, try agents, models, sandbox, database and disk',
    )
    .option('--no-measure', 'leave the evaluator alone')
    .option('--offline', 'ask no model')
    .option('--rounds <number>', 'how often the root is measured, for its noise; default: 5', rounds)
    .option('--target <place>', MIRROR)
    .action(act(async () => (await import('./commands/check.ts')).check));
  program
    .command('doctor')
    .description('everything that this machine needs, whatever the campaign, and what to do where something is missing')
    .action(act(async () => (await import('./commands/doctor.ts')).doctor));
  program
    .command('run <campaign>')
    .description('run a campaign, or go on with it, until its budget is spent')
    .option('-p, --port <port>', 'port of the HTTP API on 127.0.0.1; default: any', port)
    .option('--seed <number>', 'another seed, for a campaign of its own named NAME-SEED', count)
    .option('--jobs <number>', 'another budget.jobs for this run', count)
    .option('--target <place>', MIRROR)
    .addOption(logLevel('stderr; default: nothing is logged'))
    .action(act(async () => (await import('./commands/run.ts')).run));
  program
    .command('daemon')
    .description('serve every campaign under campaigns/; new and changed files are picked up')
    .option('-p, --port <port>', 'port of the HTTP API on 127.0.0.1; default: any', port)
    .option('--no-work', 'only plan and settle: workers elsewhere do the jobs')
    .addOption(logLevel('stdout; default: CLADE_LOG_LEVEL, else info'))
    .action(act(async () => (await import('./commands/daemon.ts')).daemon));
  program
    .command('worker')
    .description('do the jobs of campaigns that a daemon elsewhere plans; needs CLADE_DATABASE_URL and CLADE_HUB_URL')
    .option('--roles <roles>', 'generate, evaluate or both; default: both', roles)
    .option('--slots <number>', 'agents at work at the same time; default: 2', count)
    .option('--lanes <number>', 'evaluations at the same time; default: 1', count)
    .option('--label <label>', 'what measures alike; default: CLADE_LABEL, else the name of this host')
    .addOption(logLevel('stdout; default: CLADE_LOG_LEVEL, else info'))
    .addHelpText('after', WORKER)
    .action(act(async () => (await import('./commands/worker.ts')).worker));
  program
    .command('status [campaign]')
    .description('how a campaign stands, or all of them')
    .action(act(async () => (await import('./commands/status.ts')).status));
  program
    .command('workers')
    .description('the processes that work on jobs, on all machines: what they do, and what they suffer from')
    .action(act(async () => (await import('./commands/workers.ts')).workers));
  program
    .command('jobs <campaign>')
    .description('the ledger: what became of each job')
    .option('-n, --limit <number>', 'at most so many, the latest', page, 50)
    .option('--outcome <outcome>', 'only candidate, no_change, duplicate, failed or invalid')
    .action(act(async () => (await import('./commands/jobs.ts')).jobs));
  program
    .command('show <candidate>')
    .description('all about one candidate: a commit id, or CAMPAIGN:JOB')
    .option('--brief', 'with the brief that its agent was given', false)
    .option('--transcript', 'with what its agent said', false)
    .action(act(async () => (await import('./commands/show.ts')).show));
  program
    .command('explain <candidate>')
    .description('why this base, these inspirations and this verdict: a commit id, or CAMPAIGN:JOB')
    .action(act(async () => (await import('./commands/explain.ts')).explain));
  program
    .command('brief <campaign> [job]')
    .description('what the agent of a job was told; of a job that is still to be done, what it would be told now')
    .addHelpText('after', BRIEF)
    .action(act(async () => (await import('./commands/brief.ts')).brief));
  program
    .command('lineage <candidate>')
    .description('the ancestors of a candidate down to the root: a commit id, or CAMPAIGN:JOB')
    .action(act(async () => (await import('./commands/lineage.ts')).lineage));
  program
    .command('archive <campaign>')
    .description('the occupied cells and the members of their fronts')
    .action(act(async () => (await import('./commands/archive.ts')).archive));
  program
    .command('descriptor <campaign>')
    .description('compare all descriptors on the history of a campaign; runs neither agent nor evaluator')
    .action(act(async () => (await import('./commands/descriptor.ts')).descriptor));
  program
    .command('log <campaign>')
    .description('what happened, oldest first')
    .option('-n, --limit <number>', 'at most so many', page, 100)
    .option('--after <id>', 'only events after this one', count)
    .option('-f, --follow', 'go on with what happens, from now or from --after', false)
    .option('--job <number>', 'instead: what was done for one job on this machine', count)
    .action(act(async () => (await import('./commands/log.ts')).log));
  program
    .command('seed <campaign> <seeds...>')
    .description('bring in commits of the target, or patch files that apply to the root; they are evaluated as jobs')
    .action(act(async () => (await import('./commands/seed.ts')).seed));
  for (const [name, does] of [
    ['pause', 'plan no more until resume; what is in flight is finished and kept'],
    ['resume', 'go on after a pause or a stop'],
    ['stop', 'end a campaign; run goes on with it'],
  ] as const) {
    program
      .command(`${name} <campaign>`)
      .description(does)
      .action(act(async () => (await import('./commands/steer.ts')).steer(name)));
  }
  program
    .command('cancel <job>')
    .description('end one job, CAMPAIGN:JOB, and the work on it at once; it stays charged to the budget')
    .action(act(async () => (await import('./commands/cancel.ts')).cancel));
  program
    .command('retry <job>')
    .description(
      'do a job that came to nothing, CAMPAIGN:JOB, once more, as one of the next jobs; it is charged like any',
    )
    .action(act(async () => (await import('./commands/retry.ts')).retry));
  program
    .command('notify <campaign>')
    .description('send a test message to everybody who is told what happens (notify of the campaign file)')
    .action(act(async () => (await import('./commands/notify.ts')).notify));
  program
    .command('tidy [campaign]')
    .description('remove what campaigns do not want kept (`keep`), and checkouts of those that are over')
    .option('--dry-run', 'only say what would be removed', false)
    .action(act(async () => (await import('./commands/tidy.ts')).tidy));
  program
    .command('patch <campaign>')
    .description('the winners as patches, applied and measured in a fresh clone of the root')
    .option('--best', 'the winner of the finals, else the best on train (default)', false)
    .option('-c, --commit <commit>', 'this candidate')
    .option('--front', 'the members of the archive that no other dominates', false)
    .option('-o, --output <dir>', 'folder to write to', 'patches')
    .option('--squash', 'one patch for the whole difference', false)
    .option('--onto <revision>', 'carry it to another revision of the target, and prove it there')
    .option('--target <place>', MIRROR)
    .option('--minimize', 'leave out what does not pay, by delta debugging against the evaluator', false)
    .option('--evaluations <number>', 'with --minimize: at most so many evaluations; default: 64', evaluations)
    .option('--tolerance <share>', 'with --minimize: the share of the gain that may be lost; default: 0.05', share)
    .addHelpText('after', MINIMIZE)
    .action(act(async () => (await import('./commands/patch.ts')).patch));
  program
    .command('export <campaign>')
    .description('the whole campaign as files, for import; or its recording, for the agent replay')
    .option('--recording', 'only what its agents proposed, to be done again without any provider', false)
    .option('-o, --output <dir>', 'folder to write to; default: CAMPAIGN-export, of a recording: recording')
    .action(act(async () => (await import('./commands/export.ts')).exportCampaign));
  program
    .command('import <folder>')
    .description('bring in a campaign that export wrote; the database may be of the other kind')
    .action(act(async () => (await import('./commands/import.ts')).importCampaign));

  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return reportError(error, program.opts<GlobalOptions>().json);
  }
}

/** The levels are those of `LEVELS`, which is not loaded for every command. */
function logLevel(where: string): Option {
  return new Option('--log-level <level>', `what is logged to ${where}`).choices(['debug', 'info', 'warn', 'error']);
}

/** What commander says of a wrong command line, in the form of every other error. */
function usageProblem(text: string): string {
  const message = text.replace(/^error: /, '').trim();
  return `${JSON.stringify({ error: { code: 'usage', message } })}\n`;
}
