import { expect, test } from 'vitest';
import { metricsText } from '../../../src/daemon/metrics/text.ts';

test('metrics are written as Prometheus reads them; those without a sample are left out', () => {
  const text = metricsText([
    {
      ...{ name: 'clade_a', type: 'gauge', help: 'One\nline.' },
      samples: [
        { labels: {}, value: 1.5 },
        { labels: { name: 'q"\\\n', state: 'x' }, value: Number.NEGATIVE_INFINITY },
      ],
    },
    { name: 'clade_none', type: 'counter', help: 'No sample.', samples: [] },
    {
      ...{ name: 'clade_h_seconds', type: 'histogram', help: 'H.' },
      samples: [{ suffix: '_bucket', labels: { le: '+Inf' }, value: 2 }],
    },
  ]);
  expect(text).toBe(
    [
      '# HELP clade_a One\\nline.',
      '# TYPE clade_a gauge',
      'clade_a 1.5',
      'clade_a{name="q\\"\\\\\\n",state="x"} -Inf',
      '# HELP clade_h_seconds H.',
      '# TYPE clade_h_seconds histogram',
      'clade_h_seconds_bucket{le="+Inf"} 2',
      '',
    ].join('\n'),
  );
});
