// A column of a table, for tests of what the data pages make of columns.
import { fieldType, type Column } from '../../src/ui/app/data/schema.ts'

/** Neither required nor filled by the server, unless told; `id` is a key. */
export const column = (name: string, format = 'text', part: Partial<Column> = {}): Column => ({
  name,
  format,
  type: fieldType(format),
  required: false,
  hasDefault: false,
  isKey: name === 'id',
  ...part,
})

/** The key that a table fills by itself. */
export const ID_COLUMN: Column = column('id', 'bigint', { required: true, hasDefault: true })
