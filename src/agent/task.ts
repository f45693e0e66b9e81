import type { Campaign } from '../config/index.ts';
import type { Rng } from '../qd/index.ts';
import type { Brief } from './brief/brief.ts';
import type { AgentEvent } from './event.ts';
import type { ModelAccess } from './models.ts';

/** One file of an inspiration: its text at the common ancestor of inspiration and base, and at the inspiration. */
export interface FilePatch {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  /** Null when the inspiration created the file. */
  readonly before: string | null;
  /** Null when the inspiration deleted the file. */
  readonly after: string | null;
}

/** What a retained candidate changed, as text: an agent never gets a checkout of it. */
export interface InspirationPatch {
  readonly ordinal: number;
  readonly files: readonly FilePatch[];
}

/** Everything one run of an agent may use. */
export interface Task {
  readonly brief: Brief;
  /** A planner reads and writes a plan, which is the summary of its proposal; what it changes is discarded. */
  readonly role: 'planner' | 'coder';
  /** Times that this job's proposal went back to the coder. */
  readonly round: number;
  /** Absolute path of a checkout of the base; the only folder an agent may leave changes in. */
  readonly worktree: string;
  /** Seeded by (campaign seed, island, job ordinal): an agent has no other source of chance. */
  readonly rng: Rng;
  /**
   * Whether base + `files` (path → whole new text) is a tree that was settled before this batch was planned. Absent:
   * nothing is known of other candidates.
   */
  readonly seen?: (files: ReadonlyMap<string, string>) => Promise<boolean>;
  /** What the inspirations changed; read from Git when an agent asks, because most read the brief alone. */
  readonly inspirations: () => Promise<readonly InspirationPatch[]>;
  /** The edit scope: `edit` without `protect`. */
  readonly editable: (path: string) => boolean;
  /** The paths tracked at the base, relative to the worktree, with `/`. */
  readonly files: () => Promise<readonly string[]>;
  readonly sandbox: Campaign['sandbox'];
  /** What its processes may use; absent: as much as there is. */
  readonly limits?: Campaign['limits'];
  /** How it reaches its model; null where nobody serves one. */
  readonly models: ModelAccess | null;
  /** The job. */
  readonly ordinal: number;
  /** Paths that the agent's process must not see, such as the hidden splits. */
  readonly hidden?: readonly string[];
  /** Absolute paths outside the worktree that its process may read, such as the targets of linked folders. */
  readonly readable?: readonly string[];
  /** An existing folder of this job's own, outside the worktree: HOME, temporary files, the prompt. */
  readonly scratch: string;
}

/** One way of making proposals. */
export interface Agent {
  readonly kind: string;
  /**
   * Edits `task.worktree` and reports; when the iteration is over, nothing of the agent is running any more. A bad
   * proposal, a crash or a timeout of the agent is an event.
   * @throws the reason of `signal` when it is aborted
   * @throws InfrastructureError when the agent cannot be run on this machine
   */
  propose(task: Task, signal: AbortSignal): AsyncIterable<AgentEvent>;
}
