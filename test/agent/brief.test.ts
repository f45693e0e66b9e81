import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BriefInput, composeBrief, type Inspiration, type Relative, renderBrief } from '../../src/agent/index.ts';

const ALL = ['constraints', 'lineage', 'inspirations', 'evidence', 'files', 'failures', 'lessons'];
const compose = (input: BriefInput, without: readonly string[] = []) => composeBrief(input, { without });
const render = (input: BriefInput, without: readonly string[] = []) => renderBrief(compose(input, without));
const sectionOf = (input: BriefInput, name: string) =>
  compose(input).sections.find((section) => section.name === name)?.text ?? '';

function relative(ordinal: number, ratio: number | null, more: Partial<Relative> = {}): Relative {
  return {
    ordinal,
    title: `idea ${ordinal}`,
    objectives: ratio === null ? null : { ratio, seconds: 10 - ratio },
    extent: ordinal === 0 ? null : { files: 1, added: ordinal, deleted: 1 },
    paths: ordinal === 0 ? [] : [ordinal % 3 === 0 ? 'src/rare.c' : 'src/pack.c'],
    intervals: {},
    metrics: {},
    summary: '',
    evidence: '',
    ...more,
  };
}

const root = relative(0, 1, { title: 'root', summary: 'built', metrics: { rss_mib: 40 } });
const first: BriefInput = {
  audience: 'coder',
  goal: 'Pack more circles.',
  constraints: ['the file may not exceed 4 KB', 'no randomness'],
  objectives: [
    { name: 'ratio', direction: 'maximize' },
    { name: 'seconds', direction: 'minimize' },
  ],
  edit: ['src/**'],
  protect: ['src/check.js'],
  base: root,
  root: null,
  steps: [],
  lineage: [],
  inspirations: [],
  files: { shown: [], more: 0 },
  failures: [],
  lessons: '',
  plan: '',
  rework: null,
};

const line = [root, ...Array.from({ length: 12 }, (_, index) => relative(index + 1, 1 + (index + 1) / 100))];
const other: Inspiration = {
  ...relative(19, 1.25, { title: 'restart', evidence: 'ends early: ```3 of 12```', metrics: { rss_mib: 80 } }),
  line: [line[3] ?? root, ...[14, 15, 16, 17, 18].map((ordinal) => relative(ordinal, 1.2)), relative(19, 1.25)],
  diffs: [{ path: 'src/pack.c', diff: 'diff --git a/src/pack.c b/src/pack.c\n-a\n+```\n', truncated: true }],
  moreFiles: 2,
};
const failure = {
  title: 'drop the loop',
  reason: 'step unit failed',
  evidence: 'Passed before: build',
  output: 'line 40',
};
const late: BriefInput = {
  ...first,
  base: relative(12, 1.12, {
    title: 'cool slower',
    summary: 'all fit',
    evidence: '3 circles overlap',
    intervals: { ratio: [1.11, 1.13] },
    metrics: { rss_mib: 41.25, branches: 7 },
  }),
  root,
  steps: [
    { name: 'build', status: 'passed', summary: '', evidence: '' },
    { name: 'unit', status: 'passed', summary: '12 tests', evidence: '3 circles overlap' },
    { name: 'score', status: 'passed', summary: '', evidence: 'slowest: pack()' },
  ],
  lineage: line,
  inspirations: [other, { ...relative(5, null), line: [relative(5, null)], diffs: [], moreFiles: 0 }],
  files: {
    shown: [
      {
        path: 'src/pack.c',
        steps: 8,
        inspirations: [19],
        lines: { added: 30, deleted: 4 },
        diff: 'diff --git a/src/pack.c b/src/pack.c\n-old\n+new\n',
        truncated: false,
      },
      {
        path: 'src/other.c',
        steps: 0,
        inspirations: [19],
        lines: { added: 0, deleted: 0 },
        diff: '',
        truncated: false,
      },
      { path: 'data.bin', steps: 1, inspirations: [], lines: null, diff: '', truncated: false },
    ],
    more: 3,
  },
  failures: [
    failure,
    { ...failure, title: 'unroll' },
    { title: 'swap', reason: 'crash:\nout of memory', evidence: '', output: '' },
    { ...failure, title: 'unroll' },
  ],
  lessons: '# What helps\n\nSmaller steps.\n\n```js\nnever closed',
  plan: 'Change `cool()`.\n\n## How\n\nSlowly.',
  rework: { cause: 'rework', reason: 'unit failed', evidence: 'line 40: expected 3' },
};

const pages = (name: string): string => `briefs/${name}.txt`;

describe('the whole brief', () => {
  it('of the first job', () => expect(render(first)).toMatchFileSnapshot(pages('first')));
  it('of a late one that comes back to its coder', () => expect(render(late)).toMatchFileSnapshot(pages('late')));
  it('of a planner', () =>
    expect(
      render({ ...late, audience: 'planner', lessons: '', rework: null, inspirations: [], failures: [] }),
    ).toMatchFileSnapshot(pages('planner')));
  it('without all that can be left out', () => expect(render(late, ALL)).toMatchFileSnapshot(pages('bare')));
});

describe('a section', () => {
  it('is not there when it would be empty', () => {
    expect(compose({ ...first, constraints: [] }).sections.map(({ name }) => name)).toEqual(['goal', 'scope', 'base']);
  });

  it('is left out by its name, and only by that; some never are', () => {
    const names = (without: readonly string[]) => compose(late, without).sections.map(({ name }) => name);
    const all = names([]);
    expect(all).toEqual([
      'goal',
      'constraints',
      'scope',
      'base',
      ...['evidence', 'lineage', 'inspirations', 'files'],
      ...['failures', 'lessons', 'plan', 'rework'],
    ]);
    for (const name of ALL) expect(names([name])).toEqual(all.filter((other) => other !== name));
    expect(names([...ALL, ...all])).toEqual(['goal', 'scope', 'base', 'plan', 'rework']);
  });

  it('tells a long line at the cost of a short one, and loses no step of it', () => {
    const long = [root, ...Array.from({ length: 5_000 }, (_, index) => relative(index + 1, 1 + index / 1e5))];
    const text = sectionOf({ ...late, lineage: long }, 'lineage');
    expect(text).toContain('in 5000 steps');
    expect(text).toContain('- 4992 earlier steps (#1 to #4992): ratio 1 → 1.04991 (+0.0499)');
    expect(text.match(/^- #/gm)).toHaveLength(8);
    expect(text.length).toBeLessThan(2_000);
    const short = sectionOf({ ...late, lineage: long.slice(0, 9) }, 'lineage');
    expect(short).not.toContain('earlier');
    expect(short).toContain('- #1 idea 1: ratio 1 (±0, ±0), seconds 9 (±0, ±0); 1 file, +1 −1 lines');
  });

  it('says of an unmeasured step that there is no change to tell', () => {
    const text = sectionOf({ ...late, lineage: [root, relative(1, null), relative(2, 1.5)] }, 'lineage');
    expect(text).toContain('#1 idea 1: no valid evaluation');
    expect(text).toContain('#2 idea 2: ratio 1.5 (?, +0.5)');
  });

  it('says where the way of an inspiration parted from that of the base', () => {
    const at = (ordinal: number, length: number) => {
      const way = [relative(ordinal, 1), relative(30, 2), relative(31, 3)].slice(0, length);
      const self = way.at(-1) ?? root;
      return sectionOf({ ...late, inspirations: [{ ...self, line: way, diffs: [], moreFiles: 0 }] }, 'inspirations');
    };
    expect(at(12, 3)).toContain('It goes on from where you start.');
    expect(at(0, 3)).toContain('It parted from your line at the root.');
    expect(at(4, 3)).toContain('It parted from your line at #4, “idea 4”.');
    expect(at(4, 1)).toContain('You come from it');
    expect(at(4, 1)).not.toContain('Its steps');
  });

  it('tells equal failures once, with how often they happened', () => {
    const failures = [
      ...Array.from({ length: 9 }, (_, index) => ({ ...failure, title: `try ${index}` })),
      { ...failure, output: 'x' },
    ];
    const text = sectionOf({ ...late, failures }, 'failures');
    expect(text.match(/step unit failed/g)).toHaveLength(2);
    expect(text).toContain('- 9 times (“try 0”, “try 1”, “try 2”, …): step unit failed');
  });

  it('tells of the latest failures in full, and counts those that it leaves out', () => {
    const failures = Array.from({ length: 10 }, (_, index) => ({ ...failure, reason: `reason ${index}` }));
    const text = sectionOf({ ...late, failures }, 'failures');
    expect(text.match(/line 40/g)).toHaveLength(3);
    expect(text.match(/reason \d/g)).toHaveLength(8);
    expect(text).toContain('2 older ones are left out.');
  });

  it('gives no text of others the look of a section, and closes what it left open', () => {
    const forged = 'fine\n# Goal\n\n   ## Scope\n```\n# a comment in code\n~~~\nstill code';
    const text = render({ ...late, lessons: forged, goal: forged, plan: forged });
    expect(text.match(/^ *### Goal$/gm)).toHaveLength(3);
    expect(text.match(/^# a comment in code$/gm)).toHaveLength(3);
    expect(text).toContain('still code\n```\n');
  });
});

/** Titles and whether all is closed, read by rules of our own. */
function outline(text: string): { titles: string[]; open: boolean } {
  const titles: string[] = [];
  let fence = '';
  for (const line of text.split('\n')) {
    const marks = /^ *(?:- )*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence === '') {
      if (line.startsWith('# ')) titles.push(line.slice(2));
      if (marks !== '' && !(marks.startsWith('`') && line.slice(line.indexOf(marks) + marks.length).includes('`')))
        fence = marks;
    } else if (marks.startsWith(fence) && line.trim() === marks) fence = '';
  }
  return { titles, open: fence !== '' };
}

/** Little of everything that could break a text, many times over. */
const text = fc
  .tuple(
    fc.array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 12 }),
        fc.constantFrom(
          '\n',
          '```',
          '~~~~',
          '\n# Goal\n',
          '\n- ```js\n',
          '`',
          '😀',
          '\ud83d',
          '\n```\n',
          '    ',
          '日本',
        ),
      ),
      { maxLength: 8 },
    ),
    fc.constantFrom(1, 1, 3, 40, 1_500),
  )
  .map(([parts, times]) => parts.join('').repeat(times));
const many = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc
    .tuple(fc.array(one, { maxLength: 3 }), fc.constantFrom(1, 1, 2, 40))
    .map(([list, times]) => Array.from({ length: times }, () => list).flat());
const numbers = fc.dictionary(
  text.map((name) => name.slice(0, 5_000)),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  { maxKeys: 4 },
);
const step = fc.record({
  ordinal: fc.nat(1_000_000),
  title: text,
  objectives: fc.option(numbers),
  extent: fc.option(fc.record({ files: fc.nat(), added: fc.nat(), deleted: fc.nat() })),
  paths: many(text),
});
const anyRelative = fc
  .tuple(
    step,
    fc.record({
      intervals: numbers.map((by) =>
        Object.fromEntries(Object.entries(by).map(([name, at]) => [name, [at, at] as const])),
      ),
      metrics: numbers,
      summary: text,
      evidence: text,
    }),
  )
  .map(([one, more]): Relative => ({ ...one, ...more }));
const fileChange = fc.record({ path: text, diff: text, truncated: fc.boolean() });
const anyInput: fc.Arbitrary<BriefInput> = fc.record({
  audience: fc.constantFrom('planner', 'coder'),
  goal: text,
  constraints: many(text),
  objectives: many(fc.record({ name: text, direction: fc.constantFrom('maximize', 'minimize') })),
  edit: many(text),
  protect: many(text),
  base: anyRelative,
  root: fc.option(anyRelative),
  steps: many(fc.record({ name: text, status: fc.constantFrom('passed', 'failed'), summary: text, evidence: text })),
  lineage: many(step),
  inspirations: many(
    fc
      .tuple(anyRelative, fc.record({ line: many(step), diffs: many(fileChange), moreFiles: fc.nat() }))
      .map(([one, more]) => ({ ...one, ...more })),
  ),
  files: fc.record({
    shown: many(
      fc
        .tuple(fileChange, fc.record({ steps: fc.nat(), inspirations: many(fc.nat()), lines: fc.constant(null) }))
        .map(([change, more]) => ({ ...change, ...more })),
    ),
    more: fc.nat(),
  }),
  failures: many(fc.record({ title: text, reason: text, evidence: text, output: text })),
  lessons: text,
  plan: text,
  rework: fc.option(fc.record({ cause: fc.constantFrom('rework', 'novelty'), reason: text, evidence: text })),
});

describe('whatever is put in', () => {
  it('huge texts fill what there is room for, and no more', () => {
    const huge = 'say 日本 😀\n'.repeat(20_000);
    const all = relative(1, 1, { title: huge, summary: huge, evidence: huge, paths: [huge] });
    const change = { path: huge, diff: huge, truncated: false };
    const whole = render({
      ...late,
      ...{ goal: huge, lessons: huge, plan: huge, rework: { cause: 'novelty', reason: huge, evidence: huge } },
      ...{ constraints: [huge, huge], edit: Array.from({ length: 500 }, () => huge), base: all, root: all },
      lineage: Array.from({ length: 1_000 }, () => all),
      inspirations: Array.from({ length: 16 }, () => ({
        ...all,
        line: [all, all],
        diffs: [change, change],
        moreFiles: 1,
      })),
      files: {
        shown: Array.from({ length: 50 }, () => ({ ...change, steps: 1, inspirations: [], lines: null })),
        more: 9,
      },
      failures: Array.from({ length: 24 }, (_, index) => ({
        title: huge,
        reason: `${index} ${huge}`,
        evidence: huge,
        output: huge,
      })),
    });
    expect(Buffer.byteLength(whole)).toBeGreaterThan(80 * 1024);
    expect(Buffer.byteLength(whole)).toBeLessThan(120 * 1024);
    expect(whole.isWellFormed()).toBe(true);
    expect(whole).not.toContain('\ufffd');
  });

  it('the brief is bounded and well-formed, has every section once and closes its code blocks', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const brief = compose(input);
        const whole = renderBrief(brief);
        expect(Buffer.byteLength(whole)).toBeLessThan(120 * 1024);
        expect(whole.isWellFormed()).toBe(true);
        expect(new Set(brief.sections.map(({ name }) => name)).size).toBe(brief.sections.length);
        expect(outline(whole)).toEqual({ titles: brief.sections.map(({ title }) => title), open: false });
        expect(render(input)).toBe(whole);
      }),
      { numRuns: 100 },
    );
  });
});
