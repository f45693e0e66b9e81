#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judge } from './judge.mjs';

/** Judges the modules in the current folder and writes the result to CLADE_RESULT. Nothing of a candidate is ever run. */

function read(name) {
  try {
    return readFileSync(join(process.cwd(), 'modules', `${name}.js`), 'utf8');
  } catch {
    // A module that cannot be read is missing: the judge says so.
    return undefined;
  }
}

const result = JSON.stringify(judge(read));
if (process.env.CLADE_RESULT) writeFileSync(process.env.CLADE_RESULT, result);
else console.log(result);
