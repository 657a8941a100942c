// The state of a row's form: draft, errors per field, the call under way.
import { useState, type FormEvent } from 'react'
import { toast } from 'sonner'
import type { DataFailure } from './rest-failure.ts'
import { draftOf, readDraft, type Draft } from './draft.ts'
import type { Row, TableInfo } from './schema.ts'
import type { Writes } from './use-write.ts'

export interface RowFormOptions {
  readonly info: TableInfo
  readonly row?: Row
  readonly writes: Writes
  readonly onDone: () => void
  readonly onClose: () => void
}

const placed = (failure: DataFailure, info: TableInfo): Readonly<Record<string, string>> => {
  const { field, message } = failure
  if (field === undefined) return { '': message }
  return info.columns.some(column => column.name === field)
    ? { [field]: message }
    : { '': `${field}: ${message}` }
}

/** Errors are kept by column; the empty name is the form itself. */
export const useRowForm = ({ info, row, writes, onDone, onClose }: RowFormOptions) => {
  const [draft, setDraft] = useState<Draft>(() => draftOf(info.columns, row))
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [isPending, setPending] = useState(false)
  const send = async () => {
    const read = readDraft(info.columns, draft, row)
    if (!read.ok) return setErrors(read.errors)
    if (row !== undefined && Object.keys(read.values).length === 0) return onClose()
    setPending(true)
    setErrors({})
    const failure = await (row === undefined ? writes.insert(read.values) : writes.update(row, read.values))
    setPending(false)
    if (failure !== undefined) return setErrors(placed(failure, info))
    toast.success(row === undefined ? `Added to ${info.name}` : `Saved in ${info.name}`)
    onDone()
    onClose()
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
