// Writing rows: each call gives undefined when it worked, or what was refused.
import { useMemo } from 'react'
import { useData } from '../database.ts'
import { explainCall } from '../failed-call.ts'
import { explainRest, type DataAction, type DataFailure } from './rest-failure.ts'
import type { Row, TableInfo } from './schema.ts'

export type Outcome = Promise<DataFailure | undefined>

export interface Writes {
  insert(values: Row): Outcome
  update(row: Row, values: Row): Outcome
  remove(row: Row): Outcome
}

const keyOf = (info: TableInfo, row: Row) =>
  Object.fromEntries(
    info.columns.filter(column => column.isKey).map(column => [column.name, row[column.name]]),
  )

interface Answer {
  readonly error: {
    readonly message: string
    readonly code?: string
    readonly details?: string | null
  } | null
  readonly status: number
  readonly data: readonly unknown[] | null
}

const UNTOUCHED: Readonly<Record<'update' | 'delete', DataFailure>> = {
  update: { message: 'Nothing was changed: a row policy forbids it, or the row is gone.', retry: false },
  delete: {
    message: 'Nothing was deleted: a row policy forbids it, or the row is gone already.',
    retry: false,
  },
}

const settle = async (call: PromiseLike<Answer>, action: DataAction): Outcome => {
  try {
    const { error, status, data } = await call
    if (error !== null) return await explainRest(error, status, action)
    // Policies hide rows instead of refusing them: a write that matched none is no error to the server.
    return (action === 'update' || action === 'delete') && data?.length === 0 ? UNTOUCHED[action] : undefined
  } catch (error) {
    return explainCall(error)
  }
}

/** The writes on one table. */
export const useWrites = (info: TableInfo): Writes => {
  const data = useData()
  return useMemo(
    () => ({
      insert: values => settle(data.from(info.name).insert(values), 'insert'),
      update: (row, values) =>
        settle(data.from(info.name).update(values).match(keyOf(info, row)).select(), 'update'),
      remove: row => settle(data.from(info.name).delete().match(keyOf(info, row)).select(), 'delete'),
    }),
    [data, info],
  )
}
