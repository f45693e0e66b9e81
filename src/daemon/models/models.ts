import type { Kysely } from 'kysely';
import type { ModelAccess } from '../../agent/index.ts';
import type { Campaign } from '../../config/index.ts';
import type { EmbeddingAccess } from '../../embedding/index.ts';
import {
  type CallRecord,
  clientOf,
  createBudget,
  createGates,
  createGateway,
  type Gates,
  type Gateway,
  type GatewayServer,
  type Spending,
  serveGateway,
  type Ticket,
} from '../../gateway/index.ts';
import type { Makers, Usage } from '../../pipeline/index.ts';
import { bookCall, type CallTotals, callTotals, type Tables } from '../../store/index.ts';
import { callSpan, parentOf, type SpanParent } from '../log/index.ts';
import { embedderOf, embeddingAccess } from './embedding.ts';
import { openPurse } from './purse.ts';
import { callRow, writeRecording } from './record.ts';

/** The model calls of one campaign: its gateway, its budget, and the record of both. */
export interface Models {
  /** The way to the server that embeds, null where the built-in provider does. */
  readonly embeddings: EmbeddingAccess | null;
  readonly openModels: Makers['openModels'];
  /** The limit of `budget` on model calls that is used up, or leaves no room for another call; null while there is room. */
  readonly exhausted: () => Promise<string | null>;
  readonly close: () => Promise<void>;
}

export interface ModelsOptions {
  readonly db: Kysely<Tables>;
  readonly campaignId: number;
  readonly campaign: Pick<Campaign, 'providers' | 'budget' | 'search'>;
  /** Who makes the calls, as of now. */
  readonly worker: () => string;
  /** Of this process. */
  readonly gates?: Gates;
  /** Where calls are recorded. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Opens the gateway of a campaign, and the gates of its providers: somebody who starts or resumes it may have mended what shut one. What it spent before counts. */
export async function openModels({
  db,
  campaignId,
  campaign,
  folder,
  environment,
  worker,
  gates = createGates(),
}: ModelsOptions): Promise<Models> {
  const { budget: limits, providers } = campaign;
  const whole = await openPurse({ db, campaignId, worker, limits: () => limits });
  /** The runs that are under way, with what their calls used so far. */
  const runs = new Map<string, { readonly coder: string | null; readonly within: SpanParent; usage: Usage | null }>();
  const onCall = async (call: CallRecord): Promise<void> => {
    const run = runs.get(keyOf(call));
    if (run !== undefined) run.usage = add(run.usage, call);
    callSpan(call, run?.within ?? parentOf());
    const recording = await writeRecording(folder, call);
    await bookCall(db, callRow(call, run?.coder ?? null, recording), call.reservation);
  };
  const limited = limits.jobCostUsd !== null || limits.jobTokens !== null;
  /** What a job spent before, in another round or before a kill, counts. */
  const budgetOf = async (ordinal: number) => {
    const most = () => ({ costUsd: limits.jobCostUsd, tokens: limits.jobTokens });
    return createBudget(`job ${ordinal}`, most, spending(await callTotals(db, campaignId, ordinal)));
  };
  const embedder = embedderOf(campaign.search.descriptor.provider);
  const all = embedder === null ? providers : [...providers, embedder];
  const gateway = createGateway({ providers: all, environment, onCall, gates });
  gateway.open();
  const server = await serveGateway(gateway);
  return {
    async openModels(run) {
      const key = keyOf(run);
      runs.set(key, { coder: run.coder, within: parentOf(), usage: null });
      const own = run.ordinal === null || !limited ? [] : [await budgetOf(run.ordinal)];
      const ticket = gateway.issue({
        campaignId,
        ordinal: run.ordinal,
        role: run.role,
        budgets: [whole, ...own],
        deadline: AbortSignal.timeout(run.timeoutMs),
      });
      return {
        access: accessOf(gateway, server, ticket),
        usage: () => runs.get(key)?.usage ?? null,
        close() {
          gateway.revoke(ticket);
          runs.delete(key);
        },
      };
    },
    embeddings: embedder === null ? null : embeddingAccess(gateway, embedder, { campaignId, budgets: [whole] }),
    exhausted: () => whole.exhausted(),
    close: () => server.close(),
  };
}

function accessOf(gateway: Gateway, { socket }: GatewayServer, ticket: Ticket): ModelAccess {
  return {
    socket,
    client: (provider) => clientOf(gateway, ticket, provider),
    pathOf: (provider) => `/${ticket.secret}/${provider}`,
    deadline: ticket.holder.deadline,
    blame(provider, message) {
      ticket.fault ??= { kind: 'unreachable', provider, message };
    },
    fault: () => ticket.fault,
  };
}

/** What calls used, as a budget counts it. */
function spending({ costUsd, inputTokens, outputTokens, unpriced }: CallTotals): Spending {
  return { costUsd, tokens: inputTokens + outputTokens, unpriced };
}

function keyOf({ ordinal, role }: { readonly ordinal: number | null; readonly role: string }): string {
  return `${ordinal ?? '-'} ${role}`;
}

function add(sum: Usage | null, { usage, costUsd }: CallRecord): Usage {
  const known = sum ?? { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  return {
    inputTokens: known.inputTokens + (usage?.inputTokens ?? 0),
    outputTokens: known.outputTokens + (usage?.outputTokens ?? 0),
    costUsd: known.costUsd === null || costUsd === null ? null : known.costUsd + costUsd,
  };
}
