import type { Campaign, Receiver } from '../../config/index.ts';
import type { Finding } from '../../pipeline/index.ts';
import { baseEnvironment, findExecutable } from '../../process/index.ts';
import { nameOf, variablesOf } from './deliver.ts';

/** Whether those who are to be told can be; sends nothing. */
export function inspectNotify({ directory, notify }: Pick<Campaign, 'directory' | 'notify'>): Promise<Finding[]> {
  return Promise.all(notify.map((receiver) => inspect(receiver, directory)));
}

async function inspect(receiver: Receiver, directory: string): Promise<Finding> {
  const subject = 'notify';
  const name = nameOf(receiver);
  const unset = (names: readonly string[]): string[] => names.filter((one) => process.env[one] === undefined);
  const missing = unset(variablesOf(receiver));
  if (missing.length > 0) return { subject, verdict: 'problem', text: `${name}: ${missing.join(', ')} not set` };
  const text = `${name} is told of ${receiver.on.join(', ')}`;
  if (receiver.kind === 'url') return { subject, verdict: 'fine', text };
  const { PATH = '' } = baseEnvironment({ home: directory, tmp: directory });
  const found = await findExecutable(name, PATH, directory);
  if (found === null) return { subject, verdict: 'problem', text: `${name} is not found or not executable` };
  const passed = unset(receiver.env);
  if (passed.length === 0) return { subject, verdict: 'fine', text };
  return { subject, verdict: 'warning', text: `${text}; ${passed.join(', ')} not set` };
}
