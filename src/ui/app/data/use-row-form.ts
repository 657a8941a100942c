// State of a row form: draft, field errors and the pending save.
import { useRef, useState, useMemo } from 'react'
import { useClient, useStatus } from '../../react/index.ts'
import { useLeft } from '../hooks.ts'
import { named } from '../../../services/workbench/storage/index.ts'
import { useKeptForm } from '../use-draft.ts'
import { nullable, string } from 'valibot'
import {
  allColumns,
  type Cell,
  changesOf,
  type Draft,
  draftLike,
  draftOf,
  insertColumns,
  readDraft,
  readOfTable,
  type Row,
  rowKey,
  type TableInfo,
  type Values,
  writeOfTable,
  cellOf,
  type Column,
  type EditDecision,
  planSet,
} from '../../../services/workbench/table/index.ts'
import type { DataFailure } from '../../../services/workbench/rest/index.ts'
import { useTables } from './tables.tsx'
import { useSaving, type SavedWith, type SavingOptions, type Words } from './use-saving.ts'
import type { TableModel } from './use-table.ts'

/** Writes a row; returns undefined on success, else the failure. */
export interface RowWrites {
  readonly insert: (values: Values) => Promise<DataFailure | SavedWith | undefined>
  readonly update: (row: Row, values: Values) => Promise<DataFailure | undefined>
}

export interface RowFormOptions extends SavingOptions {
  readonly info: TableInfo
  readonly row?: Row
  /** For a new row: the row to duplicate. */
  readonly from?: Row
  readonly writes: RowWrites
  /** Called when the form unmounts with unsaved fields, for example by a lost session. */
  readonly onLeft?: (row: Row, values: Values) => void
}

export const wordsOfInsert = ({ name }: TableInfo): Words => ({
  done: `Added to ${name}`,
  refused: `Could not add the row to ${name}`,
})

const placed = (failure: DataFailure, info: TableInfo): Readonly<Record<string, string>> => {
  const { field, message } = failure
  if (field === undefined) return { '': message }
  return allColumns(info).some(column => column.name === field)
    ? { [field]: message }
    : { '': `${field}: ${message}` }
}

const keptSchema = named(nullable(string()))

const filled = (draft: Draft): Record<string, Cell> =>
  Object.fromEntries(
    Object.entries(draft).flatMap(([name, cell]) => (cell === undefined ? [] : [[name, cell]])),
  )

/** Restores the draft of a new row that was not added; a duplicate's draft only until it is canceled. */
const useKeptDraft = ({ info, row, from }: RowFormOptions) => {
  const { url } = useClient()
  const user = useStatus(({ session }) => (session.phase === 'authenticated' ? session.user.id : 'anonymous'))
  const { schema } = useTables()
  const owner = `${url}.${user}`
  const of = { schema, table: info.name }
  // An earlier draft is kept separately from a duplicate.
  const isKept = row === undefined && from === undefined
  const like = useKeptForm('row-like', [schema, info.name, (from && rowKey(info, from)) ?? ''], keptSchema)
  const [draft, setDraft] = useState<Draft>(() => {
    if (row !== undefined) return draftOf(info.columns, row)
    const columns = insertColumns(info)
    if (from !== undefined) return like.written ?? draftLike(columns, from)
    return { ...draftLike(columns, from), ...readOfTable('new', owner, of, keptSchema, {}) }
  })
  const save = (next: Draft) => {
    setDraft(next)
    if (isKept) writeOfTable('new', owner, of, filled(next))
    else if (from !== undefined) like.save(filled(next))
  }
  const cancel = () => (from === undefined ? undefined : like.forget())
  const forget = () => (isKept ? writeOfTable('new', owner, of, {}) : cancel())
  return { draft, save, forget, cancel }
}

/** Errors by column; the empty name is the form itself. */
export const useRowForm = (options: RowFormOptions) => {
  const { info, row, writes, onLeft, ...after } = options
  const { draft, save: saveForm, forget, cancel } = useKeptDraft(options)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  // The latest draft, also when the form unmounts before the next render.
  const latest = useRef(draft)
  const keepChanges = () => {
    const changed = row === undefined ? {} : changesOf(info.columns, latest.current, row)
    if (row !== undefined && Object.keys(changed).length > 0) onLeft?.(row, changed)
  }
  const isGone = useRef(false)
  const isSending = useRef(false)
  const end = useLeft(() => {
    isGone.current = true
    // Input of a pending save is kept only if the save is refused.
    if (!isSending.current) keepChanges()
  })
  const close = () => {
    end()
    cancel()
    after.onClose()
  }
  const { isPending, save } = useSaving({ ...after, onClose: close })
  const send = async () => {
    const read = readDraft(row === undefined ? insertColumns(info) : info.columns, draft, row)
    if (!read.ok) return setErrors(read.errors)
    if (row !== undefined && Object.keys(read.values).length === 0) return close()
    setErrors({})
    isSending.current = true
    const failure = await (row === undefined
      ? save(writes.insert(read.values), wordsOfInsert(info))
      : save(writes.update(row, read.values), {
          done: `Saved in ${info.name}`,
          refused: `Could not save the row in ${info.name}`,
        }))
    isSending.current = false
    if (failure === undefined) return forget()
    if (isGone.current) keepChanges()
    setErrors(placed(failure, info))
  }
  return {
    draft,
    errors,
    isPending,
    close,
    /** Clears a restored form. */
    clear: () => {
      saveForm(draftOf(insertColumns(info)))
      setErrors({})
    },
    isTouched: row === undefined && Object.values(draft).some(cell => cell !== undefined),
    /** @param also values this choice sets in other columns */
    change: (column: string, cell: Cell | undefined, also: Values = {}) => {
      latest.current = { ...draft, ...also, [column]: cell }
      saveForm(latest.current)
      setErrors(({ [column]: _cleared, ...others }) => others)
    },
    submit: () => {
      if (!isPending) void send()
    },
  }
}

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

const UNREAD = 'You may add rows to this table, but not read this one: it is not shown.'

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
      insert: async values => {
        const answer = await write(undefined, values)
        return answer.type === 'saved' && answer.isUnread ? { note: UNREAD } : failureOf(answer, values, info)
      },
      update: async (row, values) => {
        const key = rowKey(info, row) ?? ''
        const base = announced.current.get(key) ?? row
        const answer = await write(base, values)
        if (answer.type === 'saved') {
          const context = {
            shownCell: (_: unknown, column: Column) => cellOf(base, column),
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
