import type { Result } from 'clade/evaluator';
import type { Instance } from './instance.ts';
import { bestKnown, type Reference } from './reference.ts';
import { gapTo, hardnessOf, mean, rewardOf } from './score.ts';
import type { Answer } from './solver.ts';

/** One answered instance. */
export interface Measured {
  readonly instance: Instance;
  readonly reference: Reference;
  readonly answer: Extract<Answer, { kind: 'feasible' }>;
  readonly vbs: number;
  readonly gap: number;
}

const BASELINES = ['greedy', 'local', 'annealing'] as const;

/** The result of a solver that answered every instance: the mean gap, and where it comes from. */
export function report(measured: readonly Measured[]): Result {
  const gap = mean(measured.map((one) => one.gap));
  const byType = Object.groupBy(measured, ({ instance }) => instance.type);
  const byHardness = Object.groupBy(measured, ({ vbs, reference }) => hardnessOf(vbs, reference.greedy));
  const gapsOf = (group: readonly Measured[] = []): number => mean(group.map((one) => one.gap));
  const types = Object.entries(byType).map(([type, group = []]) => [type, gapsOf(group)] as const);
  const cpu = measured.map(({ answer }) => answer.cpuMs);
  const better = measured.filter(({ answer, reference }) => answer.value > bestKnown(reference)).length;

  const metrics: Record<string, number> = {
    reward: mean(measured.map((one) => rewardOf(true, true, one.gap))),
    instances: measured.length,
    beats_all_baselines: better,
    reaches_vbs: measured.filter((one) => one.gap === 0).length,
    proven_optima: measured.filter(({ reference }) => reference.proven).length,
  };
  for (const hardness of ['trivial', 'moderate', 'hard'] as const) {
    metrics[`${hardness}_instances`] = byHardness[hardness]?.length ?? 0;
    metrics[`gap_${hardness}`] = gapsOf(byHardness[hardness]);
  }
  for (const name of BASELINES) {
    metrics[`gap_of_${name}`] = mean(measured.map(({ vbs, reference }) => gapTo(vbs, reference[name])));
  }
  if (cpu.every((ms) => ms !== null)) metrics.cpu_ms = mean(cpu);

  const features = Object.fromEntries(types.map(([type, value]) => [`gap_${type.replaceAll('-', '_')}`, value]));
  const summary = `mean gap ${percent(gap)}, ${metrics.reaches_vbs} of ${measured.length} at the virtual best solver`;
  return {
    status: 'valid',
    objectives: { gap },
    metrics,
    features,
    summary,
    evidence: evidence(types, metrics, measured),
  };
}

function evidence(
  types: readonly (readonly [string, number])[],
  metrics: Readonly<Record<string, number>>,
  measured: readonly Measured[],
): string {
  const worst = measured.toSorted((a, b) => b.gap - a.gap).slice(0, 5);
  const lines = [
    'Mean gap by type:',
    ...types.toSorted((a, b) => b[1] - a[1]).map(([type, gap]) => `  ${type} ${percent(gap)}`),
    `Baselines: ${BASELINES.map((name) => `${name} ${percent(metrics[`gap_of_${name}`] ?? 0)}`).join(', ')}.`,
    'Worst:',
    ...worst.map(
      ({ instance, answer, vbs, gap }) =>
        `  ${instance.name} (${instance.n} items): ${answer.value}, best known ${vbs}, gap ${percent(gap)}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}
