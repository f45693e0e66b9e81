import { CAMPAIGN_FILE } from '../load.ts';
import { evaluateScript } from './evaluate.ts';
import type { Project } from './project.ts';

/** A file of a new campaign folder; `path` is relative to the folder. */
export interface ScaffoldFile {
  readonly path: string;
  readonly text: string;
  readonly executable: boolean;
}

export interface ScaffoldRequest {
  /** A legal campaign name: see `campaignName`. */
  readonly name: string;
  /** As it is to be written: a URL, or a path that is absolute or relative to the campaign folder. */
  readonly repository: string;
  /** Where editors find the JSON schema: a URL, or a path relative to the campaign folder. */
  readonly schema: string;
  readonly project: Project;
}

/** The files of a campaign that loads as it is and measures nothing until its benchmark is filled in. */
export function scaffoldCampaign(request: ScaffoldRequest): ScaffoldFile[] {
  return [
    { path: CAMPAIGN_FILE, text: campaignText(request), executable: false },
    { path: 'evaluate.sh', text: evaluateScript(request.project), executable: true },
  ];
}

/** The legal campaign name that is closest to a repository's name: `My_Lib.git` → `my-lib`. */
export function campaignName(repository: string): string {
  const last =
    repository
      .replace(/[/\\]+$/, '')
      .replace(/\.git$/, '')
      .split(/[/\\:]/)
      .at(-1) ?? '';
  const name = last
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 63)
    .replace(/-+$/, '');
  return name === '' ? 'campaign' : name;
}

/** JSON is YAML, and quotes whatever needs it. */
const quoted = JSON.stringify;

function list(items: readonly string[]): string {
  return `[${items.map((item) => quoted(item)).join(', ')}]`;
}

function campaignText({ name, repository, schema, project }: ScaffoldRequest): string {
  return `# yaml-language-server: $schema=${schema}

# What Clade is to improve, how it is measured, and how long to try. Everything that is not here has a default. Once
# the first job has run, target, goal, constraints, evaluator and search are frozen; the rest may change at any time.

name: ${quoted(name)}

target:
  repository: ${quoted(repository)}
  root: HEAD                  # the revision that every candidate descends from; resolved once
  # gitignore patterns. A candidate that changes anything else, or anything protected, fails without being measured.
  edit: ${list(project.edit)}
  protect: ${list(project.protect)}
  # Shell commands, run once in a checkout of the root; what is linked is shared from there with every checkout.
  prepare: ${list(project.prepare)}
  link: ${list(project.link)}

# Told to the agent, word for word. Say what is to become better, and where to look.
goal: |
  Raise the score that the benchmark of ${name} reports, without changing what the program does.

# Told to the agent as well; what must not happen is better checked by evaluate.sh than asked for here.
constraints: []

evaluator:
  command: ["./evaluate.sh"]  # fill in its benchmark first
  timeout: 10m                # build, tests and benchmark together
  concurrency: 1              # measure alone: neighbours are noise
  objectives:
    # The first is the primary. Differences below epsilon count as noise: \`clade check\` measures how much there is.
    - {name: score, direction: maximize, epsilon: 0}

agents:
  concurrency: 2
  coder: {kind: mutate}       # offline edits on syntax trees, no key needed
  # Any coding agent with a command line; it gets the brief on standard input and edits the files where it stands.
  # coder: {kind: command, command: ["my-agent", "--non-interactive"], env: [MY_AGENT_KEY], network: true, timeout: 30m}

search:
  seed: 1                     # the same seed repeats the same decisions

budget:
  jobs: 48                    # attempts in all, failed ones included
  # wall: 24h

sandbox: prefer               # required refuses to run where agents and evaluators cannot be isolated
`;
}
