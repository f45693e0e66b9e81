import type { Descriptor } from './descriptor.ts';
import { displacement } from './displacement.ts';
import { repositoryMean } from './repository-mean.ts';

/** Every descriptor: a new one is a file beside these and a line here. */
const DESCRIPTORS = {
  [displacement.kind]: displacement,
  [repositoryMean.kind]: repositoryMean,
} as const satisfies Record<string, Descriptor>;

export type DescriptorKind = keyof typeof DESCRIPTORS;

export const descriptorKinds = Object.values(DESCRIPTORS).map((descriptor) => descriptor.kind);

export function createDescriptor(kind: DescriptorKind): Descriptor {
  return DESCRIPTORS[kind];
}
