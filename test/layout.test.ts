import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The folders of `src/` from the bottom up: a folder may import only from those before it. */
const ORDER = [
  'config',
  'qd',
  'policy',
  'process',
  'git',
  'gateway',
  'agent',
  'evaluator',
  'embedding',
  'store',
  'pipeline',
  'study',
  'daemon',
  'web',
  'cli',
];
const PURE = new Set(['qd', 'policy']);
const MAX_LINES = 300;

const source = resolve(import.meta.dirname, '../src');
/** What a browser runs. */
const page = join(source, 'web/page');
/** The one module of the server that the page may import, and only types of. */
const answers = join(source, 'web/server/answers.ts');
const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name));

function specifiers(text: string): string[] {
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^'";]*?from\s*'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s*'([^']+)'/g,
  );
  return [...found].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

function folderOf(file: string): string {
  return relative(source, file).split(sep)[0] ?? '';
}

describe('the layout of src/', () => {
  it('has only the folders of the design, and errors.ts beside them', () => {
    const names = readdirSync(source, { withFileTypes: true }).map((entry) => entry.name);
    expect(names.filter((name) => !ORDER.includes(name) && name !== 'errors.ts')).toEqual([]);
  });

  it('imports only downwards, and other folders only through their index', () => {
    const wrong: string[] = [];
    for (const file of files) {
      const from = folderOf(file);
      for (const specifier of specifiers(readFileSync(file, 'utf8'))) {
        if (!specifier.startsWith('.')) continue;
        const target = resolve(dirname(file), specifier);
        const to = folderOf(target);
        if (to === from || to === 'errors.ts') continue;
        const legal = ORDER.indexOf(to) < ORDER.indexOf(from) && relative(source, target) === join(to, 'index.ts');
        if (!legal) wrong.push(`${relative(source, file)} imports ${specifier}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('keeps the core free of Node', () => {
    const wrong = files
      .filter((file) => PURE.has(folderOf(file)))
      .filter((file) => specifiers(readFileSync(file, 'utf8')).some((specifier) => specifier.startsWith('node:')));
    expect(wrong).toEqual([]);
  });

  it('keeps the page to itself: types of the answers, nothing of Node, no markup made of text', () => {
    const imports = /(?:^|\n)(?:import|export)\s+(type\s)?[^'";]*?from\s*'([^']+)'|(?:^|\n)import\s*()'([^']+)'/g;
    const libraries = new Set(['preact', 'preact/hooks', 'uplot', 'uplot/dist/uPlot.min.css']);
    const wrong: string[] = [];
    for (const file of files.filter((name) => name.startsWith(`${page}${sep}`))) {
      const text = readFileSync(file, 'utf8');
      for (const [, type, from, , bare] of text.matchAll(imports)) {
        const specifier = from ?? bare ?? '';
        const target = resolve(dirname(file), specifier);
        const own = specifier.startsWith('.') && target.startsWith(`${page}${sep}`);
        const legal = own || libraries.has(specifier) || (target === answers && type !== undefined);
        if (!legal) wrong.push(`${relative(source, file)} imports ${specifier}`);
      }
      if (/innerHTML|insertAdjacentHTML|document\.write|import\(|eval\(/i.test(text))
        wrong.push(`${relative(source, file)} makes markup`);
    }
    expect(wrong).toEqual([]);
    const server = files.filter((name) => !name.startsWith(`${page}${sep}`));
    const upwards = server.filter((file) =>
      specifiers(readFileSync(file, 'utf8')).some((specifier) => /(^|\/)page\/\w/.test(specifier)),
    );
    expect(upwards).toEqual([]);
    expect(readFileSync(answers, 'utf8')).not.toMatch(/^(import|export)\s+(?!type\b)/m);
  });

  it(`has no file over ${MAX_LINES} lines`, () => {
    const long = files.filter((file) => readFileSync(file, 'utf8').split('\n').length - 1 > MAX_LINES);
    expect(long.map((file) => relative(source, file))).toEqual([]);
  });

  it('opens every door with a table of contents', () => {
    const doors = files.filter((file) => file.endsWith(`${sep}index.ts`));
    const bare = doors.filter((file) => !readFileSync(file, 'utf8').startsWith('/**'));
    expect(bare).toEqual([]);
  });
});
