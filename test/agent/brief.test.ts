import { describe, expect, it } from 'vitest';
import { type BriefInput, composeBrief, renderBrief } from '../../src/agent/index.ts';

const root = { ordinal: 0, title: 'root', objectives: { ratio: 1 }, summary: 'built', evidence: '', diff: '' };
const input: BriefInput = {
  goal: 'Pack more circles.',
  constraints: ['the file may not exceed 4 KB', 'no randomness'],
  objectives: [{ name: 'ratio', direction: 'maximize' }],
  edit: ['src/**'],
  protect: ['src/check.js'],
  base: {
    ordinal: 4,
    title: 'cool slower',
    objectives: { ratio: 1.0123456789 },
    summary: 'built',
    evidence: '3 circles overlap',
    diff: '-a\n+b',
  },
  steps: [],
  lineage: [root],
  inspirations: [{ ordinal: 3, title: 'restart', objectives: null, summary: '', evidence: '', diff: '-x\n+```\n' }],
  audience: 'coder',
  lessons: '',
  plan: '',
  rework: null,
  failures: [{ title: 'drop the loop', reason: 'crash:\nout of memory', evidence: '', output: '' }],
};

describe('the brief', () => {
  it('reads like this', () => {
    expect(renderBrief(composeBrief(input))).toMatchInlineSnapshot(`
      "# Goal

      Pack more circles.

      An evaluator decides, on these objectives; the first counts most:

      - maximize \`ratio\`

      # Constraints

      - the file may not exceed 4 KB
      - no randomness

      # Scope

      Change only files that match these patterns:

      - \`src/**\`

      Never change these, whatever else says so:

      - \`src/check.js\`

      Edit the files of the current folder in place and do not commit: whatever differs when you end is your proposal. Nobody can answer questions.

      # Where you start

      Candidate #4, “cool slower” is checked out in the current folder.

      Measured: ratio 1.01235

      built

      Evidence:

      \`\`\`
      3 circles overlap
      \`\`\`

      # How it came about

      - #0 root: ratio 1

      # Inspirations

      Other candidates that did well, as changes relative to where you start. Take ideas, not text.

      ## #3: restart

      Measured: no valid evaluation

      \`\`\`\`diff
      -x
      +\`\`\`
      \`\`\`\`

      # Failures to avoid

      - drop the loop: crash:
        out of memory
      "
    `);
  });

  it('has no section that would be empty', () => {
    const bare = { ...input, constraints: [], protect: [], base: root, lineage: [], inspirations: [], failures: [] };
    expect(composeBrief(bare).sections.map(({ name }) => name)).toEqual(['goal', 'scope', 'base']);
  });

  it('tells of the steps that the base went through, and of the latest failures in full', () => {
    const failed = (output: string) => ({
      title: 'a',
      reason: 'step unit failed',
      evidence: 'Passed before: build',
      output,
    });
    const brief = composeBrief({
      ...input,
      steps: [
        { name: 'build', status: 'passed', summary: '' },
        { name: 'unit', status: 'passed', summary: '12 tests' },
      ],
      failures: [failed('line 40'), failed('Passed before: build'), failed(''), failed('too old')],
    });
    const text = (name: string) => brief.sections.find((section) => section.name === name)?.text;
    expect(text('base')).toContain('in order:\n\n- build: passed\n- unit: passed, 12 tests');
    expect(text('failures')).toMatch(/The end of its output:\s+```\s+line 40\s+```/);
    expect(text('failures')?.match(/The end of its output/g)).toHaveLength(1);
    expect(text('failures')?.match(/step unit failed/g)).toHaveLength(4);
    expect(text('failures')?.match(/Passed before/g)).toHaveLength(3);
  });

  it('is bounded whatever is put in', () => {
    const huge = '😀'.repeat(1_000_000);
    const all = { ...root, title: huge, summary: huge, evidence: huge, diff: huge };
    const many = Array.from({ length: 1_000 }, () => ({ title: huge, reason: huge, evidence: huge, output: huge }));
    const brief = composeBrief({
      ...input,
      goal: huge,
      constraints: [huge],
      edit: [huge],
      base: { ...all, ordinal: 1 },
      lineage: Array.from({ length: 1_000 }, () => all),
      inspirations: [all, all],
      failures: many,
    });
    const text = renderBrief(brief);
    expect(text.length).toBeLessThan(100_000);
    expect(text.isWellFormed()).toBe(true);
  });
});
