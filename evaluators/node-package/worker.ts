import { pathToFileURL } from 'node:url';
import { type Context, loadBenchmark, type Round } from './benchmark.ts';

/**
 * Runs in a process with one version of the package, root or candidate, and does what the evaluator asks. It measures nothing and
 * decides nothing: the clock and the comparisons are the evaluator's.
 */

export type Request =
  | { readonly job: 'load'; readonly round: Round }
  | { readonly job: 'run' }
  | { readonly job: 'output' }
  | { readonly job: 'answer'; readonly inputs: readonly unknown[] };

export interface Start {
  readonly entry: string;
  readonly benchmark: string;
  readonly context: Context;
}

// Taken before the version under test is loaded.
const send = process.send?.bind(process);
const collectGarbage = globalThis.gc;
const stringify = JSON.stringify;

const [, , text = ''] = process.argv;
const start: Start = JSON.parse(text);
const benchmark = await loadBenchmark(start.context.campaignDir, start.benchmark);
const loaded: unknown = await import(pathToFileURL(start.entry).href);
const state = benchmark.setup === undefined ? loaded : await benchmark.setup(loaded, start.context);
let input: unknown;
let result: unknown;

async function handle(request: Request): Promise<object> {
  switch (request.job) {
    case 'load':
      result = undefined;
      input = await benchmark.input?.(state, request.round);
      collectGarbage?.();
      return {};
    case 'run':
      result = benchmark.run(state, input);
      if (result instanceof Promise) result = await result;
      return {};
    case 'output':
      return { output: await (benchmark.output === undefined ? stringify(result) : benchmark.output(result)) };
    case 'answer': {
      const answers: unknown[] = [];
      for (const each of request.inputs) answers.push(await benchmark.answer?.(state, each));
      return { answers };
    }
  }
}

process.on('message', async (request: Request) => {
  try {
    send?.(await handle(request));
  } catch (error) {
    send?.({ error: String(error instanceof Error ? error.stack : error).slice(0, 1500) });
  }
});
send?.({});
