// What the browser keeps for one table: named by its schema, too, since another one may have a table of the same name.
import type { BaseIssue, BaseSchema } from 'valibot'
import { readSetting, writeSetting } from '../local-store.ts'

export interface TableName {
  readonly schema: string
  readonly table: string
}

/** No dot in a name makes it another table's. */
const nameOf = (kind: string, owner: string, { schema, table }: TableName): string =>
  `${kind}.${owner}.${JSON.stringify([schema, table])}`

/** As they were named while there was one schema. */
const nameBefore = (kind: string, owner: string, { table }: TableName): string => `${kind}.${owner}.${table}`

/** @param owner the host's address, and the user where each has their own */
export const readOfTable = <T>(
  kind: string,
  owner: string,
  of: TableName,
  valid: BaseSchema<unknown, T, BaseIssue<unknown>>,
  fallback: T,
): T => {
  const before = of.schema === 'public' ? readSetting(nameBefore(kind, owner, of), valid, fallback) : fallback
  return readSetting(nameOf(kind, owner, of), valid, before)
}

export const writeOfTable = (kind: string, owner: string, of: TableName, value: unknown): void =>
  writeSetting(nameOf(kind, owner, of), value)
