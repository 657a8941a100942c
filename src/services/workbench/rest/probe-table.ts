// Finds out whether a table exists, by asking for none of its rows.
import type { ChartroomClient } from '../../client/index.ts'
import { restErrorIn } from './rest-error.ts'
import { explainCall } from './failed-call.ts'
import { sendRest } from './rest.ts'

type TableProbe =
  | { readonly isFound: true }
  | {
      readonly isFound: false
      /** Whether the backend said that it has no such table; otherwise the message says why it did not answer. */
      readonly isMissing: boolean
      readonly message: string
      /** A name that the backend suggests. */ readonly near?: string
    }

/**
 * Asks for a table by name. Rejects when aborted.
 * @returns whether it exists; a role without privileges sees that on its page
 */
export async function probeTable(
  { fetch }: Pick<ChartroomClient, 'fetch'>,
  { schema, table }: { readonly schema: string; readonly table: string },
  signal: AbortSignal,
): Promise<TableProbe> {
  const profile = schema === 'public' ? {} : { 'Accept-Profile': schema }
  const headers = { accept: 'application/json', ...profile }
  const path = `/rest/v1/${encodeURIComponent(table)}?limit=0`
  const answer = await sendRest(fetch, path, { headers, signal })
  if (answer.ok) return { isFound: true }
  const { code, hint } = restErrorIn(answer.error)
  if (code === '42501') return { isFound: true }
  if (code !== 'PGRST205' && code !== '42P01')
    return {
      isFound: false,
      isMissing: false,
      message: (await explainCall(answer.error, answer.status || undefined)).message,
    }
  const near = /'(?:[^'.]*\.)?([^'.]+)'/.exec(hint)?.[1]
  const message = `The schema ${schema} has no table ${table} that is exposed.`
  return { isFound: false, isMissing: true, message, ...(near === undefined ? {} : { near }) }
}
