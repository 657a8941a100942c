// Columns of generated types: which of them a new row may leave to the server.
import { expect, test } from 'vitest'
import { readDatabaseTypes } from '../../../src/services/workbench/schema/database-types.ts'

test('the types name no default of a nullable column, so that the server decides', () => {
  const read = readDatabaseTypes(`export type Database = { public: { Tables: { forms: {
    Row: { id: number; ser: number; plain: number | null }
    Insert: { id: number; ser?: number; plain?: number | null }
    Update: { id?: number; ser?: number; plain?: number | null }
  } } } }`)
  if (!read.ok) throw new Error(read.problem)
  const columns = read.schemas.get('public')?.tables[0]?.columns ?? []
  expect(
    columns.map(({ name, required, hasDefault, isDefaultUnknown }) => [
      name,
      required,
      hasDefault,
      isDefaultUnknown ?? false,
    ]),
  ).toEqual([
    ['id', true, false, false],
    ['ser', true, true, false],
    ['plain', false, false, true],
  ])
})
