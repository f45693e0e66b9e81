import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Most jobs add a line to one of a few files; of every hundred some do what agents should not. */
const AGENT = `#!/bin/sh
cat > /dev/null
job=$(basename "$(dirname "$HOME")")
job=\${job#job-}
file=src/$((job % 10)).js
case $((job % 100)) in
  7) exit 3 ;;
  17) exit 0 ;;
  27) echo mine > README.md ;;
  37) kill -9 $$ ;;
  47) sleep 30 ;;
  57) git init -q . 2> /dev/null; rm -rf .git; echo "// $job" >> "$file" ;;
  67) (sleep 30 &) ; echo "// $job" >> "$file" ;;
  77) head -c 20000000 /dev/zero | tr '\\0' x; echo "// $job" >> "$file" ;;
  87) echo "// the same" >> src/0.js ;;
  *) echo "// $job" >> "$file" ;;
esac
`;

/** Measures the lines; by what the last line of the changed file says it misbehaves now and then, and sometimes the machine is at fault. */
const EVALUATOR = `#!/bin/sh
set -- $(cat src/*.js | sed -n 's#^// \\([0-9]*\\)$#\\1#p' | sort -n | tail -1) 0
case $(($1 % 100)) in
  3) exit 4 ;;
  13) sleep 30 ;;
  23) kill -9 $$ ;;
  33) (sleep 30 &) ;;
  43) head -c 20000000 /dev/zero | tr '\\0' y ;;
  53) echo '{"status": "valid", "objectives": {"lines": NaN}}' > "$CLADE_RESULT"; exit 0 ;;
  63) printf '{"status": "invalid", "kind": "test", "summary": "no"}' > "$CLADE_RESULT"; exit 0 ;;
esac
if test "$(od -An -N1 -tu1 /dev/urandom)" -lt 3; then exit 75; fi
printf '{"status": "valid", "objectives": {"lines": %s, "bytes": %s}}' "$(cat src/*.js | wc -l)" "$(cat src/*.js | wc -c)" > "$CLADE_RESULT"
`;

/** The files of the campaign, written into a workspace. @returns the path of the campaign file */
export async function writeCampaign(workspace: string, jobs: number): Promise<string> {
  const folder = join(workspace, 'campaigns', 'soak');
  const files = {
    'agent.sh': AGENT,
    'evaluate.sh': EVALUATOR,
    'target/README.md': 'A target.\n',
    ...Object.fromEntries(
      Array.from({ length: 10 }, (_, file) => [`target/src/${file}.js`, `export const value = ${file};\n`]),
    ),
    'campaign.yaml': campaignFile(jobs, 2),
  };
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    if (text.startsWith('#!')) await chmod(path, 0o755);
  }
  return join(folder, 'campaign.yaml');
}

/** @param concurrency a live key, changed while it runs */
export function campaignFile(jobs: number, concurrency: number): string {
  return `name: soak
target: {repository: ./target, edit: ["src/**"]}
goal: more lines
evaluator:
  command: [./evaluate.sh]
  timeout: 3s
  objectives:
    - {name: lines, direction: maximize, epsilon: 0.5}
    - {name: bytes, direction: minimize, epsilon: 0.5}
  remeasure: {jump: 0}
agents: {concurrency: ${concurrency}, coder: {kind: command, command: [./agent.sh], timeout: 3s}}
search:
  seed: 5
  schedule: {mode: streaming, slots: 8}
  warmup: 8
  descriptor: {provider: {kind: local, dimensions: 64}}
budget: {jobs: ${jobs}}
sandbox: "off"
`;
}
