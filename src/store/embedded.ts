import {
  type messages,
  PGlite,
  parse,
  protocol,
  type QueryOptions,
  type Results,
  type Transaction,
} from '@electric-sql/pglite';

type Message = messages.BackendMessage;

/** A statement that the database has parsed, and may have planned. */
interface Prepared {
  readonly name: string;
  readonly parameterTypes: readonly number[];
  /** Names and types of its columns; absent when it answers with no rows. */
  readonly columns: readonly Message[];
  uses: number;
}

/** Texts that are remembered, the latest. Ours are some dozens, pg-boss's some a queue. */
const KEPT = 256;
/** So often a statement is used before it is parsed and planned anew: a plan for a table that was small then must not last. */
const MOST_USES = 100;

/** What can be prepared and leaves the schema as it is. */
const ORDINARY = /^\s*(?:select|insert|update|delete|with)\b/i;
/** Of one statement, as far as can be told without reading it. */
const SEVERAL = /;\s*\S/;
/** What is not prepared, and does not change the schema. */
const HARMLESS = /^\s*(?:begin|commit|rollback|savepoint|release|listen|unlisten|notify|start)\b[^;]*;?\s*$/i;

const isOrdinary = (text: string): boolean => ORDINARY.test(text) && !SEVERAL.test(text);

/**
 * PGlite parses and plans each statement anew, in five calls into WebAssembly, which is most of what a small statement costs. Here one that
 * comes again is prepared and takes one call. Everybody who asks this instance for something gets that: Kysely, pg-boss.
 */
export class Embedded extends PGlite {
  /** By text, the one that was used longest ago first; null: seen once, which is not worth it yet. */
  readonly #statements = new Map<string, Prepared | null>();
  /** Names that the database may forget. */
  #dropped: string[] = [];
  #lastName = 0;

  override async query<T>(text: string, parameters: unknown[] = [], options?: QueryOptions): Promise<Results<T>> {
    if (!this.#isWorthIt(text)) return this.#inPlain(text, super.query<T>(text, parameters, options));
    await this._checkReady();
    return this._runExclusiveTransaction(async () => {
      const result = await this.#run<T>(text, parameters, options);
      await this.syncToFs();
      return result;
    });
  }

  /** pg-boss asks without parameters what it asks most often, and then by this. */
  override async exec(text: string, options?: QueryOptions): Promise<Results[]> {
    if (!this.#isWorthIt(text)) return this.#inPlain(text, super.exec(text, options));
    return [await this.query<Record<string, unknown>>(text, [], options)];
  }

  override transaction<T>(work: (trx: Transaction) => Promise<T>): Promise<T> {
    return super.transaction((trx) =>
      work({
        ...trx,
        query: <R>(text: string, parameters: unknown[] = [], options?: QueryOptions): Promise<Results<R>> =>
          trx.closed || !this.#isWorthIt(text)
            ? this.#inPlain(text, trx.query<R>(text, parameters, options))
            : this.#run<R>(text, parameters, options),
        exec: (text, options) => this.#inPlain(text, trx.exec(text, options)),
        get closed() {
          return trx.closed;
        },
      }),
    );
  }

  /** What was asked without being prepared. What may have changed the schema makes all be prepared anew. */
  async #inPlain<R>(text: string, asked: Promise<R>): Promise<R> {
    try {
      return await asked;
    } finally {
      if (!isOrdinary(text) && !HARMLESS.test(text)) this.#forgetAll();
    }
  }

  /** Whether the statement can be prepared and was asked before. */
  #isWorthIt(text: string): boolean {
    if (!isOrdinary(text)) return false;
    const seen = this.#statements.has(text);
    if (!seen) this.#statements.set(text, null);
    for (const oldest of this.#statements.keys()) {
      if (this.#statements.size <= KEPT) break;
      this.#forget(oldest);
    }
    return seen;
  }

  async #run<T>(text: string, parameters: readonly unknown[], options: QueryOptions = {}): Promise<Results<T>> {
    return this.runExclusive(async () => {
      try {
        const statement = await this.#prepared(text);
        const { serialize } = protocol;
        const values = parameters.map((value, index) => this.#inWords(value, statement.parameterTypes[index]));
        const answer = await this.#say([
          serialize.bind({ statement: statement.name, values }),
          serialize.execute({}),
          serialize.sync(),
        ]);
        const [result] = parse.parseResults([...statement.columns, ...answer], this.parsers, options);
        return result as Results<T>;
      } catch (error) {
        this.#forget(text); // it may be the statement itself that is no longer good
        throw error;
      }
    });
  }

  async #prepared(text: string): Promise<Prepared> {
    const known = this.#statements.get(text);
    this.#statements.delete(text);
    if (known !== undefined && known !== null && known.uses < MOST_USES) {
      known.uses += 1;
      this.#statements.set(text, known);
      return known;
    }
    if (known) this.#dropped.push(known.name);
    this.#lastName += 1;
    const name = `clade_${this.#lastName}`;
    const { serialize } = protocol;
    const answer = await this.#say([
      ...this.#dropped.splice(0).map((old) => serialize.close({ type: 'S', name: old })),
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    ]);
    const made: Prepared = {
      name,
      parameterTypes: parse.parseDescribeStatementResults(answer),
      columns: answer.filter((message) => message.name === 'rowDescription'),
      uses: 1,
    };
    this.#statements.set(text, made);
    return made;
  }

  /** Messages that end with a sync: what fails is said by throwing, after it. */
  #say(parts: readonly Uint8Array[]): Promise<Message[]> {
    return this.execProtocolStream(Buffer.concat(parts), { syncToFs: false });
  }

  #inWords(value: unknown, type: number | undefined): string | null {
    if (value === null || value === undefined) return null;
    const serializer = type === undefined ? undefined : this.serializers[type];
    return serializer === undefined ? String(value) : serializer(value);
  }

  #forget(text: string): void {
    const known = this.#statements.get(text);
    if (known) this.#dropped.push(known.name);
    this.#statements.delete(text);
  }

  #forgetAll(): void {
    for (const text of [...this.#statements.keys()]) this.#forget(text);
  }
}
