import * as z from 'zod';
import { line, lines } from './values.ts';

/** `--upload-pack=…` and the like would be read as an option of git. */
const notAnOption = line.regex(/^[^-]/, { error: 'must not start with "-"' });

export const targetSchema = z
  .strictObject({
    repository: notAnOption.describe('URL, path of a repository, or a plain folder (imported as one root commit).'),
    root: notAnOption.default('HEAD').describe('The revision to start from: resolved once, then frozen.'),
    edit: lines.default(['**']).describe('gitignore patterns of what a candidate may change; an edit elsewhere fails.'),
    protect: lines.default([]).describe('gitignore patterns of what it may not change; wins over edit.'),
    prepare: lines.default([]).describe('Shell commands run once per machine and root, in the root checkout.'),
    link: lines.default([]).describe('Paths that are linked from the root checkout into every checkout.'),
    setup: lines.default([]).describe('Shell commands run in each new checkout.'),
  })
  .describe('The repository to improve. Frozen at the first run.');
