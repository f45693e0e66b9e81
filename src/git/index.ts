/**
 * Git, the only store of source. Commands are data, one executor runs them, and Git never discovers a repository.
 *
 * | file | what it does |
 * | --- | --- |
 * | `environment` | the complete environment of every Git process |
 * | `run` | the executor: text through simple-git; bytes, standard input and streams through execa |
 * | `path` | names of any bytes as reversible strings |
 * | `hub`, `mirror` | the bare repository that holds all commits of a campaign, and the one that machines share |
 * | `import`, `source`, `folder`, `format` | the target (URL, repository or plain folder) becomes the root commit |
 * | `registration`, `worktree`, `read-index` | add, reset with proof and remove a worktree whose `.git` is never trusted |
 * | `listing`, `snapshot`, `proposal`, `scope` | what an agent left in a worktree becomes one commit inside the edit scope, or nothing |
 * | `unsaved` | what lies in the worktree of a job that was cut off, as a patch |
 * | `sweep` | locks and half-made hubs of dead processes |
 * | `candidate` | a tree becomes one commit on its base, if all that it changes may be changed |
 * | `seed` | a commit or a patch of the user as a candidate on the root |
 * | `compose` | a tree with some of its files replaced |
 * | `predict` | the ids that objects would have, before they are written: of some edits' tree, of a blob |
 * | `ref`, `object`, `commit`, `tree`, `blob`, `change`, `diff` | reading the hub; `file-diffs`, several pairs of commits file by file |
 * | `transfer` | all commits of a campaign as one file, and back |
 * | `patches`, `binary`, `scratch`, `prove`, `carry` | the winner as patches that are proved to apply |
 */
export { type Blob, readBlobs } from './blob.ts';
export { commitTree, type Proposed } from './candidate.ts';
export { type Carried, type Conflict, carryOnto } from './carry.ts';
export { type Change, changesBetween, type Extent, extentOf } from './change.ts';
export { type CommitRecord, lineage, readCommit } from './commit.ts';
export { composeTree, type Placed } from './compose.ts';
export { type DiffText, diffText } from './diff.ts';
export { type FileDiff, fileDiffs, type Snapshot } from './file-diffs.ts';
export { formatOf } from './format.ts';
export { type Hub, openHub } from './hub.ts';
export { type Imported, importTarget } from './import.ts';
export { havePresent, missingOf } from './mirror.ts';
export { formatSeries, formatSquashed, type Patch } from './patches.ts';
export { decodePath, encodePath } from './path.ts';
export { objectId, predictTree } from './predict.ts';
export { commitProposal, type ProposalRequest } from './proposal.ts';
export { type Proof, provePatch } from './prove.ts';
export { candidateRef, deleteRef, dropRef, listRefs, publishedRefs, resolve, rootRef, updateRef } from './ref.ts';
export { reconcileWorktrees } from './registration.ts';
export { editable, type Scope } from './scope.ts';
export { importSeed, type Seed, type SeedFile, type SeedRequest } from './seed.ts';
export { type Source, sourceOf } from './source.ts';
export { sweepHub } from './sweep.ts';
export { readBundle, writeBundle } from './transfer.ts';
export { listTree, type TreeEntry } from './tree.ts';
export { type Unsaved, unsavedChanges } from './unsaved.ts';
export { addWorktree, proveCheckout, removeWorktree, resetWorktree } from './worktree.ts';
