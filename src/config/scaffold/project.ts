/** What a repository looks like from outside: enough to write a first campaign for it, never the last word. */
export interface Project {
  readonly kind: 'node' | 'python' | 'make' | 'cargo' | 'go' | 'other';
  /** Shell command that builds; null when there is nothing to build or nothing was found. */
  readonly build: string | null;
  readonly test: string | null;
  /** For `target.prepare`, `target.link`, `target.edit` and `target.protect`. */
  readonly prepare: readonly string[];
  readonly link: readonly string[];
  readonly edit: readonly string[];
  readonly protect: readonly string[];
}

/** The listing of a repository: paths of its files relative to it, with `/`, and a way to read one as text. */
export interface Listing {
  readonly paths: readonly string[];
  read(path: string): string | undefined;
}

const TEST_FOLDERS = ['test', 'tests', 'spec', '__tests__', 'testing'];
const LOCK_FILES = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock'];
const SOURCE_FOLDERS = ['src', 'lib', 'source', 'include', 'crates', 'packages', 'pkg', 'internal', 'cmd'];

/** Looks for the manifest at the top; a Makefile comes last, as it is often only the front of another tool. */
export function detectProject(listing: Listing): Project {
  const top = new Set(listing.paths.filter((path) => !path.includes('/')));
  if (top.has('Cargo.toml')) return cargo(listing, top);
  if (top.has('go.mod')) return go(listing);
  if (top.has('package.json')) return node(listing, top);
  if (['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt'].some((name) => top.has(name))) {
    return python(listing, top);
  }
  const makefile = ['GNUmakefile', 'makefile', 'Makefile'].find((name) => top.has(name));
  if (makefile !== undefined) return make(listing, makefile);
  return { kind: 'other', build: null, test: null, prepare: [], link: [], ...scope(listing, ['**'], []) };
}

function cargo(listing: Listing, top: ReadonlySet<string>): Project {
  const locked = top.has('Cargo.lock') ? ' --locked' : '';
  return {
    kind: 'cargo',
    build: `cargo build --release${locked}`,
    test: `cargo test --release${locked}`,
    prepare: ['cargo fetch'],
    link: [],
    ...scope(listing, ['**/*.rs'], ['Cargo.toml', 'Cargo.lock', 'build.rs']),
  };
}

function go(listing: Listing): Project {
  return {
    kind: 'go',
    build: 'go build ./...',
    test: 'go test ./...',
    prepare: ['go mod download'],
    link: [],
    ...scope(listing, ['**/*.go'], ['go.mod', 'go.sum', '**/*_test.go']),
  };
}

function node(listing: Listing, top: ReadonlySet<string>): Project {
  const scripts = scriptsOf(listing.read('package.json') ?? '');
  const [manager, install] = packageManager(top);
  const locks = LOCK_FILES.filter((name) => top.has(name));
  const hasScript = (name: string) => scripts.includes(name);
  const sources = ['**/*.js', '**/*.mjs', '**/*.cjs', '**/*.jsx', '**/*.ts', '**/*.mts', '**/*.cts', '**/*.tsx'];
  return {
    kind: 'node',
    build: hasScript('build') ? `${manager} run build` : null,
    test: hasScript('test') ? `${manager} run test` : null,
    prepare: [install],
    link: ['node_modules'],
    ...scope(listing, sources, ['package.json', ...locks, '**/*.test.*', '**/*.spec.*']),
  };
}

function packageManager(top: ReadonlySet<string>): [manager: string, install: string] {
  if (top.has('pnpm-lock.yaml')) return ['pnpm', 'pnpm install --frozen-lockfile'];
  if (top.has('yarn.lock')) return ['yarn', 'yarn install --frozen-lockfile'];
  if (top.has('package-lock.json') || top.has('npm-shrinkwrap.json')) return ['npm', 'npm ci'];
  return ['npm', 'npm install'];
}

/** The names of a package's scripts; none when the file is not what it should be, as the repository is not ours. */
function scriptsOf(packageJson: string): string[] {
  try {
    const parsed: unknown = JSON.parse(packageJson);
    if (typeof parsed !== 'object' || parsed === null || !('scripts' in parsed)) return [];
    return typeof parsed.scripts === 'object' && parsed.scripts !== null ? Object.keys(parsed.scripts) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function python(listing: Listing, top: ReadonlySet<string>): Project {
  const hasTests = listing.paths.some((path) => /(^|\/)(test_[^/]*|[^/]*_test)\.py$/.test(path));
  const manifests = ['pyproject.toml', 'setup.py', 'setup.cfg'].filter((name) => top.has(name));
  return {
    kind: 'python',
    build: null,
    test: hasTests ? 'python3 -m pytest -q' : null,
    prepare: [],
    link: [],
    ...scope(listing, ['**/*.py'], [...manifests, '**/test_*.py', '**/*_test.py', '**/conftest.py']),
  };
}

function make(listing: Listing, makefile: string): Project {
  const target = /^(check|test)\s*:(?!=)/m.exec(listing.read(makefile) ?? '')?.[1];
  const sources = ['**/*.c', '**/*.h', '**/*.cc', '**/*.cpp', '**/*.hpp', '**/*.s', '**/*.S', '**/*.f90'];
  const found = sources.filter((pattern) => listing.paths.some((path) => path.endsWith(pattern.slice(4))));
  return {
    kind: 'make',
    build: 'make',
    test: target === undefined ? null : `make ${target}`,
    prepare: [],
    link: [],
    ...scope(listing, found.length === 0 ? ['**'] : found, [makefile]),
  };
}

/** Narrows patterns of endings to the source folders that exist, and protects the test folders. */
function scope(
  listing: Listing,
  edit: readonly string[],
  protect: readonly string[],
): Pick<Project, 'edit' | 'protect'> {
  const folders = new Set(listing.paths.filter((path) => path.includes('/')).map((path) => path.split('/')[0]));
  const sources = SOURCE_FOLDERS.filter((folder) => folders.has(folder));
  const narrowed = sources
    .flatMap((folder) => edit.map((pattern) => `${folder}/${pattern}`))
    .filter((pattern) => matchesAny(listing, pattern));
  const wide = edit.filter((pattern) => pattern === '**' || matchesAny(listing, pattern));
  return {
    edit: narrowed.length > 0 ? narrowed : wide.length > 0 ? wide : ['**'],
    protect: [...TEST_FOLDERS.filter((folder) => folders.has(folder)).map((folder) => `${folder}/**`), ...protect],
  };
}

function matchesAny(listing: Listing, pattern: string): boolean {
  const [folder = '', ending = ''] = pattern.split('**');
  const suffix = ending.replace('/*', '');
  return listing.paths.some((path) => path.startsWith(folder) && path.endsWith(suffix));
}
