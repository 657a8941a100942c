// A draft kept in this tab until it is saved or discarded; it survives the loss of the session.
import { useState, useMemo } from 'react'
import { readInTab, writeInTab, userIn } from '../../services/workbench/storage/index.ts'
import { safeParse, type BaseIssue, type BaseSchema } from 'valibot'
import { useClient, useStatus } from '../react/index.ts'

const nameOf = (key: string) => `draft.${key}`

/** Returns the draft, null if there is none, and its setter. Never for a secret. */
export const useDraft = (key: string): readonly [string | null, (text: string | null) => void] => {
  const [draft, setDraft] = useState(() => ({ key, text: readInTab(nameOf(key)) }))
  const present = draft.key === key ? draft.text : readInTab(nameOf(key))
  return [
    present,
    text => {
      writeInTab(nameOf(key), text)
      setDraft({ key, text })
    },
  ]
}

type Schema<T> = BaseSchema<unknown, T, BaseIssue<unknown>>

function read<T>(text: string | null, schema: Schema<T>): T | undefined {
  try {
    const parsed = safeParse(schema, JSON.parse(text ?? 'null'))
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}

interface KeptForm<Written> {
  /** Undefined if there is no draft. */
  readonly written: Written | undefined
  readonly save: (written: Written) => void
  /** Clears the draft after use or cancellation. */
  readonly forget: () => void
}

/**
 * The draft survives a lost session and a reload and is only visible to its user. Never for a secret.
 *
 * @param about what the form is for, such as the schema and name of a table
 */
export function useKeptForm<Written>(
  form: string,
  about: readonly string[],
  schema: Schema<Written>,
): KeptForm<Written> {
  const { url } = useClient()
  const user = useStatus(userIn) || 'anonymous'
  const [text, setText] = useDraft(`${form}.${url}.${user}.${JSON.stringify(about)}`)
  const written = useMemo(() => read(text, schema), [text, schema])
  return { written, save: next => setText(JSON.stringify(next)), forget: () => setText(null) }
}
