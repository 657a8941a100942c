// Draft of an unsent form, kept in this tab per backend and user.
import { useMemo } from 'react'
import { safeParse, type BaseIssue, type BaseSchema } from 'valibot'
import { useClient, useStatus } from '../react/index.ts'
import { userIn } from '../../services/workbench/storage/index.ts'
import { useDraft } from './use-draft.ts'

type Schema<T> = BaseSchema<unknown, T, BaseIssue<unknown>>

function read<T>(text: string | null, schema: Schema<T>): T | undefined {
  try {
    const parsed = safeParse(schema, JSON.parse(text ?? 'null'))
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}

export interface KeptForm<Written> {
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
