// The state of a row's form: draft, errors per field, the call under way.
import { useState, type FormEvent } from 'react'
import type { DataFailure } from './rest-failure.ts'
import { draftOf, readDraft, type Draft } from './draft.ts'
import type { Row, TableInfo } from './schema.ts'
import { useSaving, type SavingOptions, type Words } from './use-saving.ts'
import type { Writes } from './use-write.ts'

export interface RowFormOptions extends SavingOptions {
  readonly info: TableInfo
  readonly row?: Row
  readonly writes: Writes
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

/** Errors are kept by column; the empty name is the form itself. */
export const useRowForm = ({ info, row, writes, ...after }: RowFormOptions) => {
  const [draft, setDraft] = useState<Draft>(() => draftOf(info.columns, row))
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const { isPending, save } = useSaving(after)
  const send = async () => {
    const read = readDraft(info.columns, draft, row)
    if (!read.ok) return setErrors(read.errors)
    if (row !== undefined && Object.keys(read.values).length === 0) return after.onClose()
    setErrors({})
    const failure = await (row === undefined
      ? save(writes.insert(read.values), wordsOfInsert(info))
      : save(writes.update(row, read.values), {
          done: `Saved in ${info.name}`,
          refused: `The row was not saved in ${info.name}`,
        }))
    if (failure !== undefined) setErrors(placed(failure, info))
  }
  return {
    draft,
    errors,
    isPending,
    change: (column: string, text: string) => {
      setDraft(before => ({ ...before, [column]: text }))
      setErrors(({ [column]: _cleared, ...others }) => others)
    },
    submit: (event: FormEvent) => {
      event.preventDefault()
      if (!isPending) void send()
    },
  }
}
