import type { Descriptor } from './descriptor.ts';
import { diff } from './diff.ts';
import { displacement } from './displacement.ts';
import { features } from './features.ts';
import { random } from './random.ts';
import { repositoryMean } from './repository-mean.ts';
import { structural } from './structural.ts';

/** Every descriptor: a new one is a file beside these and a line here. */
const DESCRIPTORS = {
  [displacement.kind]: displacement,
  [repositoryMean.kind]: repositoryMean,
  [diff.kind]: diff,
  [structural.kind]: structural,
  [features.kind]: features,
  [random.kind]: random,
} as const satisfies Record<string, Descriptor>;

export type DescriptorKind = keyof typeof DESCRIPTORS;

export const descriptorKinds = Object.values(DESCRIPTORS).map((descriptor) => descriptor.kind);

export function createDescriptor(kind: DescriptorKind): Descriptor {
  return DESCRIPTORS[kind];
}
