import type { Change } from '../change/structure.ts';
import type { RepositoryVector } from '../vector/repository.ts';

/**
 * What there is to say about a candidate, as plain data. Every part but the repository vectors is there only when the descriptor
 * `needs` it. All changes are against the root, so they are empty for the root itself.
 */
export interface DescriptorInput {
  readonly candidate: RepositoryVector;
  readonly root: RepositoryVector;
  /** Of `hunkVector`. */
  readonly hunks?: Float32Array;
  readonly change?: Change;
  /** The evaluator's features of both. */
  readonly features?: { readonly candidate: Features; readonly root: Features };
  /** The candidate's tree id. */
  readonly tree?: string;
}

export type Features = Readonly<Record<string, number>>;

/** A part of the input that costs something to gather. */
export type DescriptorNeed = 'repository' | 'hunks' | 'change' | 'features' | 'tree';

/** A way to describe a repository state by one vector, always of one length within a campaign. */
export interface Descriptor {
  readonly kind: string;
  readonly needs: readonly DescriptorNeed[];
  /** @throws TypeError when a part that it needs is missing. */
  describe(input: DescriptorInput): Float32Array;
}

/** A part of the input that the descriptor said it needs. @throws TypeError when the caller left it out. */
export function needed<Key extends keyof DescriptorInput>(
  input: DescriptorInput,
  key: Key,
): NonNullable<DescriptorInput[Key]> {
  const part = input[key];
  if (part === undefined) throw new TypeError(`the descriptor needs "${key}"`);
  return part;
}
