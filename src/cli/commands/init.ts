import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { campaignName, detectProject, isRemote, scaffoldCampaign } from '../../config/index.ts';
import { ConflictError } from '../../errors.ts';
import { importTarget, listTree, openHub, readBlobs } from '../../git/index.ts';
import type { GlobalOptions } from '../context.ts';
import { print } from '../output.ts';

/** Files that say what kind of project this is are small. */
const READ_BYTES = 256 * 1024;
const SCHEMA = fileURLToPath(new URL('../../../schema/campaign.schema.json', import.meta.url));

/** Looks at a repository through Git, as a campaign would see it, and writes a campaign folder for it. */
export async function init(options: GlobalOptions & { readonly name?: string }, repository: string): Promise<number> {
  const workspace = resolve(options.workspace);
  const name = options.name ?? campaignName(repository);
  const folder = join(workspace, 'campaigns', name);
  if (existsSync(folder)) {
    throw new ConflictError(`${folder} is already there`, { hint: 'choose another name with --name' });
  }
  const target = isRemote(repository) ? repository : resolve(repository);
  const project = await look(target);
  const files = scaffoldCampaign({
    name,
    repository: isRemote(target) ? target : relative(folder, target),
    schema: relative(folder, SCHEMA),
    project,
  });
  for (const file of files) {
    const path = join(folder, file.path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, file.text);
    if (file.executable) await chmod(path, 0o755);
  }
  const made = { name, folder, kind: project.kind, files: files.map((file) => file.path) };
  print(made, options.json, () =>
    [
      `${folder}: a campaign for a ${project.kind} project`,
      'next:',
      '  fill in the goal in campaign.yaml and the benchmark in evaluate.sh',
      `  clade check ${relative(process.cwd(), folder)}`,
      `  clade run ${relative(process.cwd(), folder)}`,
    ].join('\n'),
  );
  return 0;
}

async function look(repository: string): Promise<ReturnType<typeof detectProject>> {
  const scratch = await mkdtemp(join(tmpdir(), 'clade-init-'));
  try {
    const hub = await openHub(join(scratch, 'hub.git'));
    const { commit } = await importTarget(hub, { campaign: 'init', repository, root: 'HEAD' });
    const entries = await listTree(hub, commit);
    const small = entries.filter(
      (entry) => entry.type === 'blob' && !entry.path.includes('/') && entry.size <= READ_BYTES,
    );
    const texts = new Map<string, string>();
    for await (const { oid, bytes } of readBlobs(hub, new Set(small.map((entry) => entry.blob)))) {
      texts.set(oid, bytes.toString('utf8'));
    }
    const byPath = new Map(small.map((entry) => [entry.path, texts.get(entry.blob)]));
    return detectProject({ paths: entries.map((entry) => entry.path), read: (path) => byPath.get(path) });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
