import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  decodeText,
  eligible,
  eligibleFiles,
  loadEligibility,
  MAX_FILE_BYTES,
  readEligibility,
} from '../../../src/embedding/index.ts';
import { memorySource } from '../memory-source.ts';

const none = readEligibility([]);

describe('eligibility', () => {
  it.each(['src/a.c', 'Makefile', 'a/b/CMakeLists.txt', 'x.TSX', 'LICENSE', 'deep/er/readme.md', '.github/ci.yml'])(
    'takes %s',
    (path) => expect(eligible(none, path, 10)).toBe(true),
  );

  it.each(['a.png', 'a.o', 'bin/tool', '.c', 'a.', 'package-lock.json', 'x.zip'])('leaves %s', (path) =>
    expect(eligible(none, path, 10)).toBe(false),
  );

  it('bounds the size', () => {
    expect(eligible(none, 'a.c', 0)).toBe(false);
    expect(eligible(none, 'a.c', MAX_FILE_BYTES)).toBe(true);
    expect(eligible(none, 'a.c', MAX_FILE_BYTES + 1)).toBe(false);
    expect(eligible(none, 'a.c')).toBe(true);
  });

  it('holds directory patterns at any depth, and lets .cladeignore overrule .gitignore', () => {
    const rules = readEligibility([
      { path: '.cladeignore', text: '!generated.c\nvendor/\n' },
      { path: '.gitignore', text: 'generated.c\nnode_modules/\n' },
    ]);
    expect(eligible(rules, 'a/b/node_modules/c/d.js')).toBe(false);
    expect(eligible(rules, 'x/vendor/a.c')).toBe(false);
    expect(eligible(rules, 'x/vendor.c')).toBe(true);
    expect(eligible(rules, 'x/generated.c')).toBe(true);
  });

  it('sorts by bytes and leaves links and submodules', () => {
    const entry = (path: string, mode = '100644') => ({ path, mode, blob: path, size: 1 });
    const entries = [
      entry('b.c'),
      entry('𝒳.c'),
      entry('\uff5e.c'),
      entry('a.c'),
      entry('l.c', '120000'),
      entry('s.c', '160000'),
    ];
    expect(eligibleFiles(none, entries).map(({ path }) => path)).toEqual(['a.c', 'b.c', '\uff5e.c', '𝒳.c']);
  });

  it('reads the rules of the root commit, nested ones too', async () => {
    const source = memorySource();
    source.commit('root', { '.gitignore': '*.log.c\n', 'a/.gitignore': '/only.c\n', 'a/only.c': 'x', 'b/only.c': 'x' });
    const rules = await loadEligibility(source, 'root');
    expect(eligible(rules, 'a/only.c')).toBe(false);
    expect(eligible(rules, 'b/only.c')).toBe(true);
    expect(eligible(rules, 'b/x.log.c')).toBe(false);
  });

  it('takes only UTF-8 without NUL as text', () => {
    expect(decodeText(Buffer.from('größe'))).toBe('größe');
    expect(decodeText(Buffer.from([0x61, 0, 0x62]))).toBeNull();
    expect(decodeText(Buffer.from([0x67, 0x72, 0xf6]))).toBeNull();
    expect(decodeText(new Uint8Array(0))).toBeNull();
    expect(decodeText(Buffer.alloc(MAX_FILE_BYTES + 1, 97))).toBeNull();
  });
});

describe('ignore rules against Git itself', () => {
  let repository = '';
  const git = (args: string[], input = '') => {
    const { stdout, stderr } = spawnSync('git', args, {
      cwd: repository,
      input,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: repository, GIT_CONFIG_NOSYSTEM: '1' },
    });
    // The exit code of check-ignore only says whether anything matched.
    expect(stderr).toBe('');
    return stdout;
  };

  beforeAll(() => {
    repository = mkdtempSync(join(tmpdir(), 'clade-ignore-'));
    git(['init', '-q']);
  });
  afterAll(() => rmSync(repository, { recursive: true, force: true }));

  const name = fc.constantFrom('a', 'b', 'c.c', 'd.c', '[x]');
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('/')}/f.c`);
  const folder = fc.constantFrom('', '', 'a/', 'b/', 'a/b/', '[x]/');
  const pattern = fc
    .tuple(
      fc.constantFrom('', '', '!'),
      fc.constantFrom('', '', '/', '**/'),
      fc.array(fc.constantFrom('a', 'b', '*', '*.c', 'f.c', '**', 'a b', '\\[x]'), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '/', '  '),
    )
    .map(([negation, anchor, parts, end]) => negation + anchor + parts.join('/') + end);
  const files = fc.uniqueArray(
    fc.record({ folder, patterns: fc.array(fc.oneof(pattern, pattern, fc.constantFrom('', '# a')), { maxLength: 5 }) }),
    { selector: (rules) => rules.folder, maxLength: 3 },
  );

  it('agrees with git check-ignore', () => {
    fc.assert(
      fc.property(files, fc.uniqueArray(path, { minLength: 1, maxLength: 12 }), (rules, paths) => {
        const ignoreFiles = rules.map((rule) => ({
          path: `${rule.folder}.gitignore`,
          text: `${rule.patterns.join('\n')}\n`,
        }));
        for (const file of ignoreFiles) {
          mkdirSync(dirname(join(repository, file.path)), { recursive: true });
          writeFileSync(join(repository, file.path), file.text);
        }
        const answer = git(['check-ignore', '--no-index', '--stdin', '-z', '-v', '-n'], `${paths.join('\0')}\0`).split(
          '\0',
        );
        for (const file of ignoreFiles) rmSync(join(repository, file.path));
        const eligibility = readEligibility(ignoreFiles);
        for (const [index, tested] of paths.entries()) {
          const matched = answer[index * 4 + 2] ?? '';
          const ignored = matched !== '' && !matched.startsWith('!');
          expect([tested, eligible(eligibility, tested)]).toEqual([tested, !ignored]);
        }
      }),
      { numRuns: 150 },
    );
  });
});
