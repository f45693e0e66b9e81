import type { Kysely } from 'kysely';
import { encodeFloat64 } from '../../embedding/index.ts';
import { type CampaignRow, listMaterials, type Material, type Tables } from '../../store/index.ts';
import { type CampaignSource, sourceOf } from './source.ts';

/** `from`: the place in the settlement order to begin at. */
export interface MaterialQuery {
  readonly from: number;
  readonly limit: number;
}

/** A `Material` in JSON. */
export interface MaterialView extends Omit<Material, 'repository'> {
  /** `sum` is base64 of float64s in little-endian order. Null when the vector is not stored. */
  readonly repository: { readonly sum: string; readonly count: number; readonly depth: number } | null;
}

/** A page of what the descriptors of a campaign can be computed from; what Git knows comes from its hub on this machine. */
export interface MaterialPage extends CampaignSource {
  readonly candidates: readonly MaterialView[];
}

export async function readMaterials(db: Kysely<Tables>, row: CampaignRow, query: MaterialQuery): Promise<MaterialPage> {
  const materials = await listMaterials(db, row.id, query);
  const candidates = materials.map(({ repository, ...material }) => ({
    ...material,
    repository:
      repository === null
        ? null
        : { ...repository, sum: Buffer.from(encodeFloat64(repository.sum)).toString('base64') },
  }));
  return { ...sourceOf(row), candidates };
}
