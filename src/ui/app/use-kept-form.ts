// What somebody wrote into a form that was not sent yet: kept in this tab for its host and user, as other drafts are.
import { useMemo } from 'react'
import { safeParse, type BaseIssue, type BaseSchema } from 'valibot'
import { useClient, useStatus } from '../react.ts'
import { userIn } from './by-client.ts'
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
  /** Undefined while nothing was written. */
  readonly written: Written | undefined
  readonly keep: (written: Written) => void
  /** Once it was used or cancelled. */
  readonly forget: () => void
}

/**
 * Neither a lost session nor a reload takes it along, and nobody else finds it. Never for a secret.
 *
 * @param about what the form is for, such as a table by its schema and name
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
  return { written, keep: next => setText(JSON.stringify(next)), forget: () => setText(null) }
}
