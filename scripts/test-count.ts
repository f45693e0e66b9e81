/**
 * Reads vitest's JSON report and prints `N passed, N failed`: `node test-count.ts REPORT OTHER_FAILURES VITEST_EXIT`. A file that could not be
 * loaded is one failure. OTHER_FAILURES are those of lint and types. Exit code 1 when
 * anything failed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

const reportSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

const [path = '', others = '0', ended = '0'] = process.argv.slice(2);
const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
const report = text === '' ? undefined : reportSchema.parse(JSON.parse(text));
const passed = report?.numPassedTests ?? 0;
const unloaded = (report?.testResults ?? []).filter(
  ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
).length;
const tests = (report?.numFailedTests ?? 0) + unloaded;
// A run without tests, or one that says it failed without a failed test, is a failure too.
const silent = tests === 0 && (passed === 0 || ended !== '0') ? 1 : 0;
const failed = tests + silent + Number(others);

if (report !== undefined && report.numPendingTests > 0) process.stdout.write(`${report.numPendingTests} skipped\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
