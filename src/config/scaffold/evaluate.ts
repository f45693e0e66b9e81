import type { Project } from './project.ts';

/**
 * The text of evaluate.sh: build, test and benchmark, each one shell command, with the evaluator's contract already
 * kept around them. POSIX sh with sed, awk, tail, tr and sort, which every machine with a compiler has.
 */
export function evaluateScript(project: Project): string {
  return `#!/bin/sh
# Judges one candidate. Clade runs this in a fresh checkout of it and reads the JSON that is written to $CLADE_RESULT.
# Exit 0: the result says it all. Exit 75: this machine is at fault, not the candidate; Clade tries again.
#
# Fill in the three commands. They run in the checkout; an empty one is left out.

BUILD=${shellQuoted(project.build ?? '')}
TEST=${shellQuoted(project.test ?? '')}

# Must print the score, a number, as its last line. For example:
#   BENCHMARK='./build/bench --quick | tail -n 1'
# To be fair to every candidate, take inputs from this folder ("$HERE"), never from the checkout.
BENCHMARK=''
ROUNDS=5 # the score is the median of so many runs

set -u
HERE=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
export HERE

if [ -z "$BENCHMARK" ]; then
  echo 'evaluate.sh is not filled in: set BENCHMARK to a command that prints the score' >&2
  exit 75
fi

WORK=$(mktemp -d) || exit 75
trap 'rm -rf "$WORK"' EXIT
LOG=$WORK/log

# The last lines of a file as the inside of a JSON string.
json_tail() {
  tail -c 4000 "$1" | LC_ALL=C tr -cd '\\11\\12\\40-\\176' | tr '\\11' ' ' |
    sed -e 's/\\\\/\\\\\\\\/g' -e 's/"/\\\\"/g' | awk '{ printf "%s\\\\n", $0 }'
}

write_result() {
  if [ -n "\${CLADE_RESULT:-}" ]; then cat >"$CLADE_RESULT"; else cat; fi
}

# reject KIND SUMMARY: the candidate is not acceptable; the log tells the next agent why.
reject() {
  printf '{"status": "invalid", "kind": "%s", "summary": "%s", "evidence": "%s"}\\n' "$1" "$2" "$(json_tail "$LOG")" |
    write_result || exit 75
  exit 0
}

if [ -n "$BUILD" ]; then
  sh -c "$BUILD" >"$LOG" 2>&1 </dev/null || reject build 'the build failed'
fi
if [ -n "$TEST" ]; then
  sh -c "$TEST" >"$LOG" 2>&1 </dev/null || reject test 'the tests failed'
fi

round=0
while [ "$round" -lt "$ROUNDS" ]; do
  sh -c "$BENCHMARK" >"$WORK/out" 2>"$LOG" </dev/null || reject benchmark 'the benchmark failed'
  score=$(tail -n 1 "$WORK/out" | tr -d ' \\11\\15')
  if ! printf '%s\\n' "$score" | grep -Eq '^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)?$'; then
    cat "$WORK/out" >>"$LOG"
    reject benchmark 'the last line of the benchmark is not a number'
  fi
  printf '%s\\n' "$score" >>"$WORK/scores"
  round=$((round + 1))
done

sort -g "$WORK/scores" | awk '
  { score[NR] = $1 }
  END {
    printf "{\\"status\\": \\"valid\\", \\"objectives\\": {\\"score\\": %s}, ", score[int((NR + 1) / 2)]
    printf "\\"intervals\\": {\\"score\\": [%s, %s]}, ", score[1], score[NR]
    printf "\\"summary\\": \\"score %s, the median of %d runs\\"}\\n", score[int((NR + 1) / 2)], NR
  }' | write_result || exit 75
`;
}

function shellQuoted(command: string): string {
  return `'${command.replaceAll("'", `'\\''`)}'`;
}
