import { receiverKey } from '../notify.ts';
import type { Rule } from './rule.ts';

const receiversAreDifferent: Rule = ({ notify }, report) => {
  const keys = notify.map(receiverKey);
  for (const [index, key] of keys.entries()) {
    const first = keys.indexOf(key);
    if (first === index) continue;
    report.error(
      ['notify', index],
      `notify[${index}] is the receiver of notify[${first}] again: put all it is told of into one on`,
    );
  }
};

const commandsAreFound: Rule = ({ notify }, report) => {
  for (const [index, receiver] of notify.entries()) {
    const [file = ''] = receiver.kind === 'command' ? receiver.command : [];
    if (!file.includes('/') || /^(\.\.?)?\//.test(file)) continue;
    const name = `notify[${index}].command[0]`;
    report.error(['notify', index, 'command', 0], `${name} must be "./${file}" for a file of the campaign folder`);
  }
};

export const notifyRules: readonly Rule[] = [receiversAreDifferent, commandsAreFound];
