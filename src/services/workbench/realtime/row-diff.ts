// A row change as a line: the key and what changed.
import { valueText } from '../table/schema.ts'

/** A row change as a channel reports it. */
export interface ChangedRow {
  readonly type: 'INSERT' | 'UPDATE' | 'DELETE'
  readonly record: Readonly<Record<string, unknown>>
  /** The row before; only its key unless the table has REPLICA IDENTITY FULL. */
  readonly old: Readonly<Record<string, unknown>>
}

const TYPES: readonly unknown[] = ['INSERT', 'UPDATE', 'DELETE'] satisfies ChangedRow['type'][]

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Whether the payload of an entry is a row change. */
export const isChangedRow = (payload: unknown): payload is ChangedRow =>
  isObject(payload) &&
  TYPES.includes(payload['type']) &&
  isObject(payload['record']) &&
  isObject(payload['old'])

export interface FieldChange {
  readonly name: string
  /** Undefined if it is not known, or the row is new. */
  readonly before?: string
  /** Undefined if the row is gone. */
  readonly after?: string
}

const textOf = (value: unknown): string =>
  value === null ? 'null' : typeof value === 'string' ? JSON.stringify(value) : valueText(value)

/**
 * The fields that differ: all of a new or removed row. Undefined for an update whose previous values the backend
 * did not send.
 */
export function fieldChanges({ type, record, old }: ChangedRow): readonly FieldChange[] | undefined {
  if (type === 'INSERT')
    return Object.entries(record).map(([name, value]) => ({ name, after: textOf(value) }))
  if (type === 'DELETE') return Object.entries(old).map(([name, value]) => ({ name, before: textOf(value) }))
  const names = Object.keys(record)
  if (!names.every(name => Object.hasOwn(old, name))) return undefined
  return names.flatMap(name => {
    const [before, after] = [textOf(old[name]), textOf(record[name])]
    return before === after ? [] : [{ name, before, after }]
  })
}

/** `id 12: call_sign null → "ABC"`; for rows that are new or gone, their values. */
export function rowDiff(change: ChangedRow): string {
  const fields = fieldChanges(change)
  const { record, old } = change
  if (change.type !== 'UPDATE')
    return (fields ?? []).map(({ name, before, after }) => `${name} ${after ?? before ?? ''}`).join(', ')
  // Without the previous row, its key says which row it is.
  const names = Object.keys(old).filter(name => textOf(old[name]) === textOf(record[name]))
  const isKnown = fields !== undefined
  const key = (isKnown ? names.slice(0, 1) : names).map(name => `${name} ${textOf(record[name])}`).join(', ')
  const rest = isKnown
    ? fields.map(({ name, before, after }) => `${name} ${before} → ${after}`)
    : Object.entries(record).flatMap(([name, value]) =>
        names.includes(name) ? [] : [`${name} ${textOf(value)}`],
      )
  return `${key}${key === '' ? '' : ': '}${rest.join(', ') || 'nothing changed'}`
}
