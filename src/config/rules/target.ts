import { isRemote } from '../repository.ts';
import { CAMPAIGN_NAME, CAMPAIGN_NAME_MESSAGE } from '../schema/values.ts';
import type { Rule } from './rule.ts';

/** A name in the file was checked with its shape; this is for the one that the folder gave. */
const folderNameServes: Rule = ({ name }, report) => {
  if (CAMPAIGN_NAME.test(name)) return;
  report.error(['name'], `name is the folder's name by default, and that (${name}) ${CAMPAIGN_NAME_MESSAGE}; set name`);
};

/** The repository is stored and shown; a key comes from the environment or a credential helper, never from here. */
const repositoryHoldsNoPassword: Rule = ({ target }, report) => {
  if (!isRemote(target.repository) || !URL.canParse(target.repository)) return;
  if (new URL(target.repository).password === '') return;
  report.error(['target', 'repository'], 'target.repository holds a password; use a credential helper of git');
};

const somethingMayBeEdited: Rule = ({ target }, report) => {
  if (target.edit.some((pattern) => !isComment(pattern) && !pattern.startsWith('!'))) return;
  report.error(['target', 'edit'], 'target.edit names no file that a candidate may change');
};

const notEverythingIsProtected: Rule = ({ target }, report) => {
  const last = target.protect.findLastIndex((pattern) => /^\/?(\*\*?\/)*\*\*?$/.test(pattern.trim()));
  if (last === -1 || target.protect.slice(last).some((pattern) => pattern.startsWith('!'))) return;
  report.error(['target', 'protect', last], `target.protect[${last}] protects everything, so that no edit is left`);
};

const patternsCanMatch: Rule = ({ target }, report) => {
  for (const key of ['edit', 'protect'] as const) {
    for (const [index, pattern] of target[key].entries()) {
      const at = ['target', key, index];
      const name = `target.${key}[${index}]`;
      if (/^!?\.\.?\//.test(pattern)) {
        report.error(
          at,
          `${name} never matches: gitignore patterns are relative to the repository, without "./" or "../"`,
        );
      } else if (isComment(pattern)) {
        report.error(at, `${name} is a blank or a comment to gitignore; write "\\#" for a name that starts with "#"`);
      }
    }
  }
};

const linksStayInside: Rule = ({ target }, report) => {
  for (const [index, path] of target.link.entries()) {
    const inside = !path.startsWith('/') && !path.split(/[/\\]/).includes('..') && !/^\.?\/?$/.test(path);
    if (!inside) report.error(['target', 'link', index], `target.link[${index}] must be a path inside the repository`);
  }
};

function isComment(pattern: string): boolean {
  return pattern.trim() === '' || pattern.startsWith('#');
}

export const targetRules: readonly Rule[] = [
  folderNameServes,
  repositoryHoldsNoPassword,
  somethingMayBeEdited,
  notEverythingIsProtected,
  patternsCanMatch,
  linksStayInside,
];
