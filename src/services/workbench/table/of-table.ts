// Browser storage per table: names include the schema, since schemas may have tables of the same name.
import type { BaseIssue, BaseSchema } from 'valibot'
import { readSetting, writeSetting } from '../storage/local-store.ts'

export interface TableName {
  readonly schema: string
  readonly table: string
}

/** A name with dots cannot collide with another table's. */
const nameOf = (kind: string, owner: string, { schema, table }: TableName): string =>
  `${kind}.${owner}.${JSON.stringify([schema, table])}`

/** @param owner the backend's URL, plus the user for per-user data */
export const readOfTable = <T>(
  kind: string,
  owner: string,
  of: TableName,
  valid: BaseSchema<unknown, T, BaseIssue<unknown>>,
  fallback: T,
): T => readSetting(nameOf(kind, owner, of), valid, fallback)

export const writeOfTable = (kind: string, owner: string, of: TableName, value: unknown): void =>
  writeSetting(nameOf(kind, owner, of), value)
