import { expect, it } from 'vitest';
import { objection, type Scope } from '../../../src/agent/acp/permission.ts';
import { createTools } from '../../../src/agent/acp/tools.ts';

const SCOPE: Scope = {
  worktree: '/work/tree',
  editable: (path) => path.startsWith('src/'),
  role: 'coder',
  network: false,
};
const call = (kind: string, ...paths: string[]) => ({ title: 't', kind, status: 'pending', paths });

it.each([
  [['/work/tree/src/a.js', 'src/b.js'], null],
  [['/work/tree/src/a.js', '/work/tree/test/b.js'], 'outside the edit scope: /work/tree/test/b.js'],
  [['/work/tree/src/../test/b.js'], 'outside the edit scope: /work/tree/src/../test/b.js'],
  [['/work/tree-2/src/a.js'], 'outside the edit scope: /work/tree-2/src/a.js'],
  [['/work/tree'], 'outside the edit scope: /work/tree'],
  [['../src/a.js', 'src/b.js'], 'outside the edit scope: ../src/a.js'],
])('a change of %j: %s', (paths, against) => {
  for (const kind of ['edit', 'move', 'delete']) expect(objection(call(kind, ...paths), SCOPE)).toBe(against);
});

it('a change that names no file is left to the check of the whole proposal', () => {
  expect(objection(call('edit'), SCOPE)).toBeNull();
});

it('what a call is about is pieced together from its updates, the differences that it shows included', () => {
  const tools = createTools();
  const toolCallId = '1';
  tools.read({ toolCallId, title: 'edit', kind: 'edit', locations: [{ path: 'src/a.js' }] });
  const asked = tools.seen({ toolCallId, content: [{ type: 'diff', path: 'test/b.js' }] });
  expect(asked).toEqual({ title: 'edit', kind: 'edit', status: 'pending', paths: ['src/a.js', 'test/b.js'] });
  expect(objection(asked, SCOPE)).toBe('outside the edit scope: test/b.js');
  tools.read({ toolCallId, status: 'completed' });
  expect(tools.seen({ toolCallId }).kind).toBe('other');
});
