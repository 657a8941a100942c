// Whole rows written by a form: added, or changed on what they were when the form was opened.
import { useMemo, useRef } from 'react'
import { useClient } from '../../../react.ts'
import { cellOf } from '../cells/cell-text.ts'
import type { DataFailure } from '../rest-failure.ts'
import { rowKey, type Row, type TableInfo } from '../schema.ts'
import type { TableQuery } from '../table-query.ts'
import type { RowWrites } from '../use-row-form.ts'
import type { EditAnswer, Values } from './edits.ts'
import { sendEdit, sendRow } from './send.ts'

const SHOWN = 60

const crossed = (values: Values, theirs: Row | undefined, { columns }: TableInfo): DataFailure => {
  if (theirs === undefined)
    return {
      message: 'The row is gone, or you may not see it any more. What you typed is still here.',
      retry: false,
    }
  const now = columns
    .filter(column => Object.hasOwn(values, column.name))
    .map(column => `${column.name} is now ${(cellOf(theirs, column) ?? 'null').slice(0, SHOWN)}`)
  return {
    message: `Somebody changed this meanwhile: ${now.join(', ')}. Save once more to write over it.`,
    retry: false,
  }
}

const failureOf = (event: EditAnswer, values: Values, info: TableInfo): DataFailure | undefined => {
  if (event.type === 'failed') return event.failure
  return event.type === 'crossed' ? crossed(values, event.theirs, info) : undefined
}

/** The writes of a form on one table. */
export const useRowWrites = (query: TableQuery, info: TableInfo): RowWrites => {
  const client = useClient()
  /** What others wrote, once it was told: to save again means to write over it. */
  const told = useRef(new Map<string, Row>())
  return useMemo(() => {
    const writing = { client, query, info }
    return {
      insert: async values => {
        const answer = await sendRow(writing, values)
        return 'failure' in answer ? answer.failure : undefined
      },
      update: async (row, values) => {
        const key = rowKey(info, row) ?? ''
        const event = await sendEdit(writing, { row: told.current.get(key) ?? row, values })
        if (event.type === 'crossed' && event.theirs !== undefined) told.current.set(key, event.theirs)
        else told.current.delete(key)
        return failureOf(event, values, info)
      },
    }
  }, [client, query, info])
}
