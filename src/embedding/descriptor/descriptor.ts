import type { RepositoryVector } from '../vector/repository.ts';

export interface DescriptorInput {
  readonly candidate: RepositoryVector;
  readonly root: RepositoryVector;
}

/** A way to describe a repository state by one vector, of as many dimensions as the provider has. */
export interface Descriptor {
  readonly kind: string;
  describe(input: DescriptorInput): Float32Array;
}
