import { cpSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Puts the packages that markdown-it imports, and the specification that judges it, into node_modules of the current
 * folder, the root checkout. They are taken from the installation around the campaign, so no network is needed.
 */

const PACKAGES = ['argparse', 'commonmark-spec', 'entities', 'linkify-it', 'mdurl', 'punycode.js', 'uc.micro'];

/** The nearest installed package of that name, seen from the campaign. */
function find(name) {
  for (let folder = process.env.CLADE_CAMPAIGN_DIR ?? import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder))
      throw new Error(`the package ${name} is not installed: npm install markdown-it commonmark-spec`);
  }
}

for (const name of PACKAGES) cpSync(find(name), join('node_modules', name), { recursive: true, dereference: true });
