/**
 * Prints what the demo's runs came to: `node demo.ts PATCH_FOLDER…`, each with the proof.json that `clade patch` wrote. Exit
 * code 1 when one of them did not improve its root.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';

const measured = z.object({ sum_radii: z.number(), cost: z.number() });
const proofSchema = z.object({
  root: measured,
  measured,
  gain: z.number(),
  files: z.tuple([z.string()]),
  pictures: z.array(z.string()).length(2),
});

const runs = process.argv.slice(2).map((folder) => ({
  name: basename(dirname(folder)),
  proof: join(folder, 'proof.json'),
  ...proofSchema.parse(JSON.parse(readFileSync(join(folder, 'proof.json'), 'utf8'))),
}));

for (const { name, root, measured, gain, files, pictures, proof } of runs) {
  const [first] = files;
  process.stdout.write(`
${name}
  sum of radii  ${root.sum_radii.toFixed(4)} → ${measured.sum_radii.toFixed(4)}  (${gain >= 0 ? '+' : '−'}${Math.abs(gain * 100).toFixed(1)} %)
  cost          ${root.cost} → ${measured.cost}
  patch         ${first}
  proof         ${proof}
  pictures      ${pictures.join('  ')}
  to apply it   git apply --directory=campaigns/circle-packing/target ${first}
`);
}
process.exitCode = runs.every((run) => run.gain > 0) ? 0 : 1;
