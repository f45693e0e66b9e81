import { describe, expect, it } from 'vitest';
import { summarise } from '../../src/agent/index.ts';

describe('summarise', () => {
  it('takes a run without a last word for a crash, and keeps its transcript', () => {
    const proposal = summarise([{ type: 'message', text: 'one' }]);
    expect(proposal).toEqual({
      title: '',
      summary: '',
      outcome: { kind: 'crash', detail: 'the agent ended without a word' },
      transcript: 'one',
    });
  });

  it('makes one short line of a title', () => {
    const { title } = summarise([{ type: 'finished', title: `a\nb${'c'.repeat(200)}`, summary: '' }]);
    expect(title).toMatch(/^a bc+…$/);
    expect(title).toHaveLength(100);
  });

  it('tells why a run failed', () => {
    const proposal = summarise([{ type: 'failed', kind: 'nothing', detail: 'no file to edit' }]);
    expect(proposal.outcome).toEqual({ kind: 'nothing', detail: 'no file to edit' });
    expect(proposal.title).toBe('nothing: no file to edit');
  });
});
