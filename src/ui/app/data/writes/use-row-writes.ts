// Whole rows written by a form: added, or changed on what they were when the form was opened.
import { useMemo, useRef } from 'react'
import { cellOf } from '../cells/cell-text.ts'
import type { DataFailure } from '../rest-failure.ts'
import { rowKey, type Row, type TableInfo } from '../schema.ts'
import type { RowWrites } from '../use-row-form.ts'
import type { EditAnswer, Values } from './edits.ts'
import type { TableEdits } from './use-edits.ts'

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
export const useRowWrites = ({ write }: Pick<TableEdits, 'write'>, info: TableInfo): RowWrites => {
  /** What others wrote, once it was told: to save again means to write over it. */
  const told = useRef(new Map<string, Row>())
  return useMemo(
    () => ({
      insert: async values => failureOf(await write(undefined, values), values, info),
      update: async (row, values) => {
        const key = rowKey(info, row) ?? ''
        const answer = await write(told.current.get(key) ?? row, values)
        if (answer.type === 'crossed' && answer.theirs !== undefined) told.current.set(key, answer.theirs)
        else told.current.delete(key)
        return failureOf(answer, values, info)
      },
    }),
    [write, info],
  )
}
