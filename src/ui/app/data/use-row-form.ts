// The state of a row's form: draft, errors per field, the call under way.
import { useRef, useState } from 'react'
import { useClient, useStatus } from '../../react.ts'
import { useLeft } from '../hooks.ts'
import { named } from '../named.ts'
import { useKeptForm } from '../use-kept-form.ts'
import { nullable, string } from 'valibot'
import type { Cell } from './cells/cell-text.ts'
import { readOfTable, writeOfTable } from './of-table.ts'
import type { DataFailure } from './rest-failure.ts'
import { changesOf, draftLike, draftOf, readDraft, type Draft } from './draft.ts'
import { rowKey, type Row, type TableInfo } from './schema.ts'
import { useTables } from './tables.tsx'
import { useSaving, type SavingOptions, type Words } from './use-saving.ts'
import type { Values } from './writes/edits.ts'

/** Writes a row; undefined when it worked, or what was refused. */
export interface RowWrites {
  readonly insert: (values: Values) => Promise<DataFailure | undefined>
  readonly update: (row: Row, values: Values) => Promise<DataFailure | undefined>
}

export interface RowFormOptions extends SavingOptions {
  readonly info: TableInfo
  readonly row?: Row
  /** Of a new row: another one, whose values it begins with. */
  readonly from?: Row
  readonly writes: RowWrites
  /** The form went away, such as by a lost session, with these fields changed and not saved. */
  readonly onLeft?: (row: Row, values: Values) => void
}

export const wordsOfInsert = ({ name }: TableInfo): Words => ({
  done: `Added to ${name}`,
  refused: `The row was not added to ${name}`,
})

const placed = (failure: DataFailure, info: TableInfo): Readonly<Record<string, string>> => {
  const { field, message } = failure
  if (field === undefined) return { '': message }
  return info.columns.some(column => column.name === field)
    ? { [field]: message }
    : { '': `${field}: ${message}` }
}

const keptSchema = named(nullable(string()))

const filled = (draft: Draft): Record<string, Cell> =>
  Object.fromEntries(
    Object.entries(draft).flatMap(([name, cell]) => (cell === undefined ? [] : [[name, cell]])),
  )

/** A new row that was not added yet is there again the next time; one that is like another, unless it was cancelled. */
const useKeptDraft = ({ info, row, from }: RowFormOptions) => {
  const { url } = useClient()
  const user = useStatus(({ session }) => (session.phase === 'authenticated' ? session.user.id : 'anonymous'))
  const { schema } = useTables()
  const owner = `${url}.${user}`
  const of = { schema, table: info.name }
  // What was begun before stays beside a row that is like another.
  const isKept = row === undefined && from === undefined
  const like = useKeptForm('row-like', [schema, info.name, (from && rowKey(info, from)) ?? ''], keptSchema)
  const [draft, setDraft] = useState<Draft>(() => {
    if (row !== undefined) return draftOf(info.columns, row)
    if (from !== undefined) return like.written ?? draftLike(info.columns, from)
    return { ...draftLike(info.columns, from), ...readOfTable('new', owner, of, keptSchema, {}) }
  })
  const keep = (next: Draft) => {
    setDraft(next)
    if (isKept) writeOfTable('new', owner, of, filled(next))
    else if (from !== undefined) like.keep(filled(next))
  }
  const cancel = () => (from === undefined ? undefined : like.forget())
  const forget = () => (isKept ? writeOfTable('new', owner, of, {}) : cancel())
  return { draft, keep, forget, cancel }
}

/** Errors are kept by column; the empty name is the form itself. */
export const useRowForm = (options: RowFormOptions) => {
  const { info, row, writes, onLeft, ...after } = options
  const { draft, keep, forget, cancel } = useKeptDraft(options)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  // Of the last change, also where the form goes before it is drawn again.
  const latest = useRef(draft)
  const keepChanges = () => {
    const changed = row === undefined ? {} : changesOf(info.columns, latest.current, row)
    if (row !== undefined && Object.keys(changed).length > 0) onLeft?.(row, changed)
  }
  const isGone = useRef(false)
  const isSending = useRef(false)
  const end = useLeft(() => {
    isGone.current = true
    // What is under way is kept when it turns out to be refused.
    if (!isSending.current) keepChanges()
  })
  const close = () => {
    end()
    cancel()
    after.onClose()
  }
  const { isPending, save } = useSaving({ ...after, onClose: close })
  const send = async () => {
    const read = readDraft(info.columns, draft, row)
    if (!read.ok) return setErrors(read.errors)
    if (row !== undefined && Object.keys(read.values).length === 0) return close()
    setErrors({})
    isSending.current = true
    const failure = await (row === undefined
      ? save(writes.insert(read.values), wordsOfInsert(info))
      : save(writes.update(row, read.values), {
          done: `Saved in ${info.name}`,
          refused: `The row was not saved in ${info.name}`,
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
    /** Empties a form that was kept from the last time. */
    clear: () => {
      keep(draftOf(info.columns))
      setErrors({})
    },
    isTouched: row === undefined && Object.values(draft).some(cell => cell !== undefined),
    /** @param also what other columns become with it */
    change: (column: string, cell: Cell | undefined, also: Values = {}) => {
      latest.current = { ...draft, ...also, [column]: cell }
      keep(latest.current)
      setErrors(({ [column]: _cleared, ...others }) => others)
    },
    submit: () => {
      if (!isPending) void send()
    },
  }
}
