import type { ConfigOption } from './answers.ts';

/**
 * What a session has to be told for its model to be `wanted`: nothing (`as-it-is`) where it offers no choice or has it already.
 * A model is also known by its name and by its id without the provider before it.
 */
export type ModelChoice =
  | { readonly kind: 'as-it-is' }
  | { readonly kind: 'set'; readonly configId: string; readonly value: string }
  | { readonly kind: 'missing'; readonly offered: readonly string[] };

export function chooseModel(options: readonly ConfigOption[] | null | undefined, wanted: string | null): ModelChoice {
  const choice = options?.find(({ type, category }) => type === 'select' && category === 'model');
  if (choice === undefined || wanted === null || choice.currentValue === wanted) return { kind: 'as-it-is' };
  const offered = (choice.options ?? []).flatMap((each) => ('options' in each ? each.options : [each]));
  const found =
    offered.find(({ value }) => value === wanted) ??
    offered.find(({ name }) => name === wanted) ??
    offered.find(({ value }) => value.endsWith(`/${wanted}`));
  if (found === undefined) return { kind: 'missing', offered: offered.map(({ value }) => value) };
  if (found.value === choice.currentValue) return { kind: 'as-it-is' };
  return { kind: 'set', configId: choice.id, value: found.value };
}
