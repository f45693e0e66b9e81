#!/bin/sh
# What a careful person would write instead of Clade: job after job, proposals from an agent, measured in checkouts of their own, both behind
# the same fence. Prints a line when it starts and one for each finished job. Every job edits the candidate of half its number.
#
# usage: baseline.sh FOLDER REPOSITORY EVALUATOR AGENT FROM TO
set -eu
folder=$1 repository=$2 evaluator=$3 agent=$4 from=$5 to=$6
hub=$folder/hub.git
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=Bench GIT_AUTHOR_EMAIL=bench@localhost GIT_COMMITTER_NAME=Bench GIT_COMMITTER_EMAIL=bench@localhost

if [ ! -d "$hub" ]; then
  mkdir -p "$folder/commits" "$folder/cache"
  git clone --quiet --bare "$repository" "$hub"
  git -C "$hub" rev-parse HEAD > "$folder/commits/0"
  for place in generate evaluate root; do git -C "$hub" worktree add --quiet --detach "$folder/$place" HEAD; done
fi
read -r root < "$folder/commits/0"

fence=
if bwrap --unshare-all --ro-bind / / true 2> /dev/null; then fence=yes; fi
# fenced DIRECTORY COMMAND...: the command in the directory, which it may write to, as well as to $scratch.
fenced() {
  directory=$1
  shift
  if [ -z "$fence" ]; then (cd "$directory" && "$@") && return; fi
  bwrap --unshare-all --die-with-parent --new-session --cap-drop ALL --proc /proc --dev /dev --tmpfs /tmp \
    --ro-bind-try /usr /usr --ro-bind-try /bin /bin --ro-bind-try /sbin /sbin --ro-bind-try /lib /lib --ro-bind-try /lib64 /lib64 \
    --ro-bind-try /etc/ld.so.cache /etc/ld.so.cache --ro-bind-try /etc/passwd /etc/passwd --ro-bind-try /etc/group /etc/group \
    --ro-bind "$evaluator" "$evaluator" --bind "$folder/root" "$folder/root" --bind "$folder/cache" "$folder/cache" \
    --bind "$scratch" "$scratch" --bind "$directory" "$directory" --chdir "$directory" -- "$@"
}
# move PLACE COMMIT: a clean checkout.
move() {
  git -C "$folder/$1" checkout --quiet --force --detach "$2"
  git -C "$folder/$1" clean -ffdxq
}
scratch=$folder/scratch
export HOME=$scratch/home TMPDIR=$scratch/tmp CLADE_RESULT=$scratch/result.json CLADE_COMMIT

echo start
job=$from
while [ "$job" -le "$to" ]; do
  read -r base < "$folder/commits/$((job / 2))"
  mkdir -p "$HOME" "$TMPDIR"
  move generate "$base"
  fenced "$folder/generate" sh -c "$agent"
  rm -rf "$scratch"
  git -C "$folder/generate" add -A
  tree=$(git -C "$folder/generate" write-tree)
  git -C "$hub" diff-tree -r -M --raw --numstat "$base" "$tree" > "$folder/changes"
  CLADE_COMMIT=$(git -C "$hub" commit-tree -p "$base" -m "Candidate $job" "$tree")
  git -C "$hub" update-ref "refs/clade/bench/$job" "$CLADE_COMMIT"
  echo "$CLADE_COMMIT" > "$folder/commits/$job"

  mkdir -p "$HOME" "$TMPDIR"
  move evaluate "$CLADE_COMMIT"
  move root "$root"
  fenced "$folder/evaluate" sh "$evaluator"
  read -r result < "$CLADE_RESULT"
  rm -rf "$scratch"
  echo "$job $result"
  job=$((job + 1))
done
