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
  lineage: [root],
  inspirations: [{ ordinal: 3, title: 'restart', objectives: null, summary: '', evidence: '', diff: '-x\n+```\n' }],
  failures: [{ title: 'drop the loop', reason: 'crash:\nout of memory' }],
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

  it('is bounded whatever is put in', () => {
    const huge = '😀'.repeat(1_000_000);
    const all = { ...root, title: huge, summary: huge, evidence: huge, diff: huge };
    const many = Array.from({ length: 1_000 }, () => ({ title: huge, reason: huge }));
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
