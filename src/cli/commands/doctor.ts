import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Finding, workspaceFolders } from '../../pipeline/index.ts';
import type { GlobalOptions } from '../context.ts';
import { inspectMachine } from '../doctor/machine.ts';
import { inspectServices } from '../doctor/services.ts';
import { print } from '../output.ts';

/** Looks at everything that Clade needs of this machine, whatever the campaign; 1 when something stops it. */
export async function doctor(options: GlobalOptions): Promise<number> {
  const workspace = resolve(options.workspace);
  await mkdir(workspaceFolders(workspace).state, { recursive: true });
  const findings = [...(await inspectMachine(workspace)), ...(await inspectServices(workspace))];
  print({ workspace, findings }, options.json, (report) => render(report.findings));
  return findings.some(({ verdict }) => verdict === 'problem') ? 1 : 0;
}

const MARKS = { fine: 'ok     ', warning: 'warning', problem: 'PROBLEM' };

function render(findings: readonly Finding[]): string {
  return findings.map(({ subject, verdict, text }) => `${MARKS[verdict]}  ${subject.padEnd(9)}  ${text}`).join('\n');
}
