import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { expect, onTestFinished, test } from 'vitest';
import { callSpan, inSpan, parentOf } from '../../../src/daemon/log/index.ts';
import { openStore } from '../../../src/store/index.ts';
import { temporary } from '../../pipeline/fixture.ts';
import { campaignIn, hostOn } from '../fixture.ts';

const START = Date.parse('2026-12-01T00:00:00Z') / 1000;

/** What a process started with an SDK has. */
function collect(): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  onTestFinished(() => {
    trace.disable();
    context.disable();
  });
  return exporter;
}

test('a campaign is planned, generated, evaluated and settled in spans, each in its place', async () => {
  const exporter = collect();
  const workspace = await temporary();
  const store = await openStore({ workspace, label: 'a test' });
  onTestFinished(() => store.close());
  const { host } = await hostOn(store, workspace);
  await host.run(await campaignIn(workspace, { jobs: 2 }));
  const spans = exporter.getFinishedSpans();
  const named = (name: string) => spans.filter((span) => span.name === name);
  const jobs = (name: string) => named(name).map(({ attributes }) => attributes['clade.job']);
  expect(jobs('clade generate').toSorted()).toEqual([1, 2]);
  expect(jobs('clade evaluate').toSorted()).toEqual([0, 1, 2]);
  expect(jobs('clade settle')).toEqual([0, 1, 2]);
  expect(named('clade plan')).toMatchObject([{ attributes: { 'clade.campaign': 'counting', 'clade.jobs': 2 } }]);
  const parents = named('clade step evaluate').map(({ parentSpanContext }) => parentSpanContext?.spanId);
  expect(parents.toSorted()).toEqual(
    named('clade evaluate')
      .map((span) => span.spanContext().spanId)
      .toSorted(),
  );
});

test('a failure marks its span', async () => {
  const exporter = collect();
  await expect(inSpan('plan', {}, () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
  expect(exporter.getFinishedSpans()).toMatchObject([
    { status: { code: 2, message: 'no disk' }, events: [{ name: 'exception' }] },
  ]);
});

test('a model call is a span where its run began, by the conventional names', async () => {
  const exporter = collect();
  const parent = await inSpan('generate', {}, async () => parentOf());
  const bytes = new Uint8Array();
  callSpan(
    {
      ...{
        campaignId: 1,
        ordinal: 3,
        role: 'coder',
        provider: 'local',
        wire: 'chat',
        model: 'small',
        attempts: 2,
        status: 200,
      },
      ...{
        startedAt: new Date('2026-12-01T00:00:00Z'),
        durationMs: 250,
        failure: null,
        costUsd: null,
        request: bytes,
        response: bytes,
        reservation: null,
      },
      usage: { inputTokens: 70, cachedTokens: 0, outputTokens: 8, reportedCostUsd: null },
    },
    parent,
  );
  const [run, call] = exporter.getFinishedSpans();
  expect(call).toMatchObject({
    name: 'chat small',
    startTime: [START, 0],
    endTime: [START, 250_000_000],
    parentSpanContext: { spanId: run?.spanContext().spanId },
    attributes: {
      'gen_ai.request.model': 'small',
      'gen_ai.usage.input_tokens': 70,
      'gen_ai.usage.output_tokens': 8,
      'clade.attempts': 2,
    },
  });
});
