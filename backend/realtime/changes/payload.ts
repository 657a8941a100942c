// The payload of a change for a subscriber: the columns that its role may read and that it selected.
import { TOO_DEEP } from './deep-values.ts'
import type { RowChange } from './announcements.ts'
import type { Column, Row, TableShape } from './table-shape.ts'

/** Why a change is sent without its row; `undefined` if it is sent completely. */
export function rowError({ type }: RowChange, { columns }: TableShape, role: string): string | undefined {
  const keys = columns.filter(({ isKey }) => isKey)
  if (type === 'DELETE') return undefined
  if (keys.length === 0) return 'Error 400: Bad Request, no primary key'
  return keys.every(({ readers }) => readers.includes(role)) ? undefined : 'Error 401: Unauthorized'
}

/**
 * The `data` of a `postgres_changes` event for a role and the selected columns (default: all); `undefined` if
 * one of the values is nested too deeply to be sent.
 */
export function changeData(
  change: RowChange,
  shape: TableShape,
  role: string,
  select: readonly string[] | undefined,
): Readonly<Record<string, unknown>> | undefined {
  const { schema, table, type, commitTimestamp } = change
  const error = rowError(change, shape, role)
  const visibleColumns = shape.columns.filter(
    ({ name, isKey, readers }) => readers.includes(role) && (isKey || (select?.includes(name) ?? true)),
  )
  const old = visibleColumns.filter(({ isKey, isIdentity }) => isIdentity && (isKey || !shape.hasPolicies))
  const [now, before] = [type === 'DELETE' ? [] : visibleColumns, type === 'INSERT' ? [] : old]
  const isTooDeep =
    !error &&
    (now.some(({ name }) => change.record?.[name] === TOO_DEEP) ||
      before.some(({ name }) => change.oldRecord?.[name] === TOO_DEEP))
  if (isTooDeep) return undefined
  const rows = {
    ...(type === 'DELETE' ? {} : { record: pick(change.record, error ? [] : visibleColumns) }),
    ...(type === 'INSERT' ? {} : { old_record: pick(change.oldRecord, error ? [] : old) }),
  }
  return {
    schema,
    table,
    commit_timestamp: error ? null : commitTimestamp,
    type,
    columns: error ? [] : visibleColumns.map(column => ({ name: column.name, type: column.type })),
    ...rows,
    errors: error ? [error] : null,
  }
}

function pick(row: Row | undefined, columns: readonly Column[]): Row {
  return Object.fromEntries(columns.map(column => [column.name, cell(row?.[column.name], column)]))
}

const NUMBERS = ['float4', 'float8', 'numeric']

/** Values as in a replication stream: bytes as plain hex digits, numbers that JSON can represent. */
function cell(value: unknown, { type }: Column): unknown {
  if (typeof value !== 'string') return value ?? null
  if (type === 'bytea') return value.replace(/^\\x/, '')
  return NUMBERS.includes(type) ? null : value
}
