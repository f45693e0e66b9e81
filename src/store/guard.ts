import {
  type AbortableOperationOptions,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PGliteDialect,
  PostgresDialect,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { CladeError, InfrastructureError } from '../errors.ts';

/**
 * Dialects that tell a fault of the database, or of the way to it, from a fault of the query: the first becomes an InfrastructureError, so
 * that callers know it is nobody's fault and worth another try. It is done here because here every error is known to come from a driver, and
 * node-postgres gives a lost connection no code that it could be told by later.
 */
export class GuardedPostgresDialect extends PostgresDialect {
  override createDriver(): Driver {
    return new GuardedDriver(super.createDriver());
  }
}

export class GuardedPgliteDialect extends PGliteDialect {
  override createDriver(): Driver {
    return new GuardedDriver(super.createDriver());
  }
}

/**
 * SQLSTATE classes in which the database speaks of itself: connection, transaction rollback (deadlock, serialisation), resources,
 * operator intervention, system, internal. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const FAULTS = new Set(['08', '40', '53', '57', '58', 'XX']);
/**
 * Of other classes: a server that only reads, as after a failover; transactions that it ended for their age; a database that takes no
 * connections for now; a lock that was not to be had in time.
 */
const FAULT_STATES = new Set(['25006', '25P03', '25P04', '55000', '55P03']);

function translated(error: unknown): unknown {
  if (error instanceof CladeError) return error;
  const state = error instanceof Error && 'code' in error ? error.code : undefined;
  const isState = typeof state === 'string' && /^[0-9A-Z]{5}$/.test(state);
  if (isState && !FAULTS.has(state.slice(0, 2)) && !FAULT_STATES.has(state)) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new InfrastructureError(`the database failed: ${detail}`, { cause: error });
}

async function guard<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw translated(error);
  }
}

class GuardedConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;

  constructor(inner: DatabaseConnection) {
    this.inner = inner;
  }

  executeQuery<R>(query: CompiledQuery, options?: AbortableOperationOptions): Promise<QueryResult<R>> {
    return guard(() => this.inner.executeQuery<R>(query, options));
  }

  streamQuery<R>(
    query: CompiledQuery,
    chunkSize: number,
    options?: AbortableOperationOptions,
  ): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery<R>(query, chunkSize, options);
  }
}

/** Savepoints are left out: nothing here nests transactions. */
class GuardedDriver implements Driver {
  readonly #inner: Driver;

  constructor(inner: Driver) {
    this.#inner = inner;
  }

  init(options?: AbortableOperationOptions): Promise<void> {
    return guard(() => this.#inner.init(options));
  }

  async acquireConnection(options?: AbortableOperationOptions): Promise<DatabaseConnection> {
    return new GuardedConnection(await guard(() => this.#inner.acquireConnection(options)));
  }

  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    return guard(() => this.#inner.beginTransaction(unwrap(connection), settings));
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return guard(() => this.#inner.commitTransaction(unwrap(connection)));
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return guard(() => this.#inner.rollbackTransaction(unwrap(connection)));
  }

  releaseConnection(connection: DatabaseConnection, options?: AbortableOperationOptions): Promise<void> {
    return this.#inner.releaseConnection(unwrap(connection), options);
  }

  destroy(options?: AbortableOperationOptions): Promise<void> {
    return this.#inner.destroy(options);
  }
}

function unwrap(connection: DatabaseConnection): DatabaseConnection {
  return connection instanceof GuardedConnection ? connection.inner : connection;
}
