#!/bin/sh
# The corpus of a split: texts of the root's repository, other ones in each split.
set -e
cd "$CLADE_ROOT_DIR"
case "$CLADE_SPLIT" in
  train) cat lib/*.[ch] ;;
  validation) cat programs/*.[ch] tests/*.[ch] ;;
  holdout) cat doc/* NEWS examples/*.[ch] build/cmake/* ;;
esac
