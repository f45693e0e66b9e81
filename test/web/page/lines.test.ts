import { expect, test } from 'vitest';
import { kindsOf } from '../../../src/web/page/job/lines.ts';

test('a diff of several files is told line by line', () => {
  const diff = [
    ['head', 'diff --git a/a.sql b/a.sql'],
    ['head', 'index 1..2 100644'],
    ['head', '--- a/a.sql'],
    ['head', '+++ b/a.sql'],
    ['head', '@@ -1,3 +1,2 @@ select'],
    ['same', ' select 1'],
    ['del', '-- a comment'],
    ['del', '--- another'],
    ['add', '+++ counter'],
    ['head', '@@ -9 +8,0 @@'],
    ['del', '-last'],
    ['head', '\\ No newline at end of file'],
    ['head', 'diff --git a/b b/b'],
    ['head', 'new file mode 100644'],
    ['head', '--- /dev/null'],
    ['head', '+++ b/b'],
    ['head', '@@ -0,0 +1 @@'],
    ['add', '+diff --git a/x b/x'],
  ] as const;
  expect(kindsOf(diff.map(([, line]) => line))).toEqual(diff.map(([kind]) => kind));
});

test('what is no diff has no changes', () => {
  expect(kindsOf(['', '+x', 'Binary files a/x and b/x differ'])).toEqual(['head', 'head', 'head']);
});
