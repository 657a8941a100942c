// A table column, for tests of how the data pages treat columns.
import { fieldType, type Column } from '../../src/services/workbench/table/schema.ts'

/** Neither required nor filled by the server by default; `id` is a key. */
export const column = (name: string, format = 'text', part: Partial<Column> = {}): Column => ({
  name,
  format,
  type: fieldType(format),
  required: false,
  hasDefault: false,
  isKey: name === 'id',
  ...part,
})

/** A key that the table fills automatically. */
export const ID_COLUMN: Column = column('id', 'bigint', { required: true, hasDefault: true })
