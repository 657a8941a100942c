// Whole rows written by a form: added, or changed based on the row when the form opened.
import { useMemo, useRef } from 'react'
import {
  cellOf,
  type Column,
  type EditDecision,
  planSet,
  type Row,
  rowKey,
  type TableInfo,
  type Values,
} from '../../../../services/workbench/table/index.ts'
import type { DataFailure } from '../../../../services/workbench/rest/index.ts'
import type { RowWrites } from '../use-row-form.ts'
import type { TableModel } from '../use-table.ts'

const SHOWN = 60

const conflictFailure = (values: Values, theirs: Row | undefined, { columns }: TableInfo): DataFailure => {
  if (theirs === undefined)
    return {
      message: 'The row was deleted or is no longer visible to you. Your input is kept.',
      retry: false,
    }
  const now = columns
    .filter(column => Object.hasOwn(values, column.name))
    .map(column => `${column.name} is now ${(cellOf(theirs, column) ?? 'null').slice(0, SHOWN)}`)
  return {
    message: `This row changed since you opened it: ${now.join(', ')}. Save again to overwrite.`,
    retry: false,
  }
}

const failureOf = (event: EditDecision, values: Values, info: TableInfo): DataFailure | undefined => {
  if (event.type === 'failed') return event.failure
  return event.type === 'conflict' ? conflictFailure(values, event.theirs, info) : undefined
}

/** The writes of a form on one table. */
export const useRowWrites = (
  { edits: { write }, changes }: Pick<TableModel, 'edits' | 'changes'>,
  info: TableInfo,
): RowWrites => {
  /** Conflicts shown to the user: saving again overwrites them. */
  const announced = useRef(new Map<string, Row>())
  return useMemo(
    () => ({
      insert: async values => failureOf(await write(undefined, values), values, info),
      update: async (row, values) => {
        const key = rowKey(info, row) ?? ''
        const base = announced.current.get(key) ?? row
        const answer = await write(base, values)
        if (answer.type === 'saved') {
          const context = {
            shown: (_: unknown, column: Column) => cellOf(base, column),
            columns: info.columns,
          }
          const saved = { key: rowKey(info, answer.row) ?? key, row: answer.row }
          changes.written(`Changed ${info.name} ${key}`, planSet(context, [saved], values))
        }
        if (answer.type === 'conflict' && answer.theirs !== undefined)
          announced.current.set(key, answer.theirs)
        else announced.current.delete(key)
        return failureOf(answer, values, info)
      },
    }),
    [write, changes, info],
  )
}
