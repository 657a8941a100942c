// State of a row form: draft, field errors and the pending save.
import { useRef, useState } from 'react'
import { useClient, useStatus } from '../../react/index.ts'
import { useLeft } from '../hooks.ts'
import { named } from '../../../services/workbench/storage/index.ts'
import { useKeptForm } from '../use-kept-form.ts'
import { nullable, string } from 'valibot'
import {
  type Cell,
  changesOf,
  type Draft,
  draftLike,
  draftOf,
  readDraft,
  readOfTable,
  type Row,
  rowKey,
  type TableInfo,
  type Values,
  writeOfTable,
} from '../../../services/workbench/table/index.ts'
import type { DataFailure } from '../../../services/workbench/rest/index.ts'
import { useTables } from './tables.tsx'
import { useSaving, type SavingOptions, type Words } from './use-saving.ts'

/** Writes a row; returns undefined on success, else the failure. */
export interface RowWrites {
  readonly insert: (values: Values) => Promise<DataFailure | undefined>
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
  return info.columns.some(column => column.name === field)
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
    if (from !== undefined) return like.written ?? draftLike(info.columns, from)
    return { ...draftLike(info.columns, from), ...readOfTable('new', owner, of, keptSchema, {}) }
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
    const read = readDraft(info.columns, draft, row)
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
      saveForm(draftOf(info.columns))
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
