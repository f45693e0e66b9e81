/** Kinds of columns. */

import type { ColumnType } from 'kysely';
import type { JsonText } from './json.ts';

/** A JSON column: read as a value, written as the text that `toJson` makes. */
export type Stored<T> = ColumnType<T, JsonText, JsonText>;
/** A nullable JSON column. */
export type StoredOrNull<T> = ColumnType<T | null, JsonText | null, JsonText | null>;
/** Set by the database when the row is made. */
export type Made = ColumnType<Date, Date | undefined, Date>;
export type OrNull<T> = ColumnType<T | null, T | null | undefined, T | null>;
