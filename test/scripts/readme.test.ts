import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { CAMPAIGN_PAGE, withKeyTable } from '../../scripts/reference.ts';
import { parseCampaign } from '../../src/config/index.ts';

const HOME = resolve(import.meta.dirname, '../..');
const PAGES = [
  'README.md',
  'CHANGELOG.md',
  ...folder('docs', '.md'),
  ...folder('docs/decisions', '.md'),
  ...folder('campaigns', '').map((name) => `${name}/README.md`),
].filter((page) => existsSync(join(HOME, page)));
const OTHERS = ['Dockerfile', 'scripts/demo'];

function folder(name: string, extension: string): string[] {
  return readdirSync(join(HOME, name))
    .filter((entry) => entry.endsWith(extension))
    .map((entry) => `${name}/${entry}`);
}

const read = (page: string): string => readFileSync(join(HOME, page), 'utf8');

/** What is in code of any sort: fenced, indented or between backticks. */
function codeOf(page: string): string[] {
  const text = read(page);
  const fenced = [...text.matchAll(/^```[^\n]*\n(.*?)^```/gms)].flatMap((match) => (match[1] ?? '').split('\n'));
  const rest = text.replace(/^```.*?^```/gms, '');
  const indented = rest.split('\n').filter((line) => line.startsWith('    '));
  const inline = [...rest.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
  return [...fenced, ...indented, ...inline];
}

interface Use {
  readonly page: string;
  readonly command: string;
  readonly options: readonly string[];
}

/** `clade COMMAND … --option` wherever a page or script has it; several on a line are told apart. */
function usesIn(page: string, lines: readonly string[]): Use[] {
  return lines
    .flatMap((line) => line.split(/(?=\bclade [a-z])/))
    .flatMap((part) => {
      const [, command] = /^clade ([a-z]+)\b/.exec(part) ?? [];
      if (command === undefined) return [];
      const [call = ''] = part.split(/[;|#]| && | \\$/);
      return [{ page, command, options: [...call.matchAll(/(?<=\s)--?[a-z][a-z-]*/g)].map(([option]) => option) }];
    });
}

async function help(...argv: string[]): Promise<string> {
  const { stdout } = await execa(process.execPath, [join(HOME, 'src/cli/clade.ts'), ...argv, '--help']);
  return stdout;
}

describe('the pages', () => {
  const uses = [
    ...PAGES.flatMap((page) => usesIn(page, codeOf(page))),
    ...OTHERS.flatMap((page) => usesIn(page, read(page).split('\n'))),
  ];

  it('name only commands and options that the command line has, and name all commands', async () => {
    const commands = [...(await help()).matchAll(/^ {2}([a-z]+) (?:\[|<| {2})/gm)].map((match) => match[1] ?? '');
    const options = new Map<string, string>();
    for (const command of commands) if (command !== 'help') options.set(command, await help(command));
    const wrong = uses.flatMap(({ page, command, options: used }) => {
      const known = options.get(command);
      if (known === undefined) return [`${page}: clade ${command}`];
      const has = (option: string): boolean => new RegExp(`(?<![\\w-])${option}(?![\\w-])`).test(known);
      return used.filter((option) => !has(option)).map((option) => `${page}: clade ${command} ${option}`);
    });
    expect(wrong).toEqual([]);
    const named = new Set(uses.filter(({ page }) => page === 'README.md').map(({ command }) => command));
    expect([...options.keys()].filter((command) => !named.has(command))).toEqual([]);
  });

  it.each(PAGES)('%s links only to what is there', (page) => {
    const targets = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
    const dead = targets
      .filter((target) => !/^https?:/.test(target))
      .filter((target) => {
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? join(HOME, page) : resolve(HOME, dirname(page), path);
        return !existsSync(file) || (anchor !== undefined && !headings(file).includes(anchor));
      });
    expect(dead).toEqual([]);
  });

  it('name only paths of the repository that are there', () => {
    const paths = PAGES.flatMap((page) => codeOf(page)).flatMap(
      (code) => code.match(/^(?:scripts|src|test|\.ci)\/[\w./-]*/g) ?? [],
    );
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !existsSync(join(HOME, path)))).toEqual([]);
  });
});

describe('docs/campaign.md', () => {
  it('has the keys of the schema (else: node scripts/reference.ts)', () => {
    const page = readFileSync(CAMPAIGN_PAGE, 'utf8');
    expect(withKeyTable(page)).toBe(page);
  });
});

describe('the campaign in the README', () => {
  it('is one', () => {
    const [, text = ''] = /^```yaml\n(.*?)^```/ms.exec(read('README.md')) ?? [];
    const { campaign, warnings, errors } = parseCampaign(text, join(HOME, 'campaigns/readme/campaign.yaml'));
    expect({ warnings, errors }).toEqual({ warnings: [], errors: [] });
    expect(campaign?.search.seed).toBe(7);
  });
});

function headings(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}
