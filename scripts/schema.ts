/** Writes the JSON schema of campaign.yaml, for editors, to schema/campaign.schema.json. */

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { campaignJsonSchema } from '../src/config/index.ts';

const file = resolve(import.meta.dirname, '../schema/campaign.schema.json');
await writeFile(file, `${JSON.stringify(campaignJsonSchema(), null, 2)}\n`);
