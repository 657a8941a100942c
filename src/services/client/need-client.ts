// Checks what a framework's provider is given as a client.
import type { ChartroomClient } from './client-types.ts'

/**
 * @param usage how the provider is used, for the message
 * @throws TypeError for anything but a client, with what to pass
 */
export function needClient<Database>(
  client: ChartroomClient<Database>,
  usage: string,
): ChartroomClient<Database> {
  const problem = wrongClient(client)
  if (problem === undefined) return client
  const [what, hint = ' client that createChartroomClient() returns.'] = problem
  throw new TypeError(`${what} was given: ${usage} needs the${hint}`)
}

/** Returns what was given instead of a client, and what is needed. */
function wrongClient(value: unknown): readonly [what: string, hint?: string] | undefined {
  if (value === undefined || value === null) return ['No client']
  if (typeof value !== 'object') return [`A ${typeof value}`]
  if ('status' in value && 'onStatus' in value) return undefined
  if ('then' in value) return ['A promise', ' client itself. Await it first.']
  return 'from' in value && 'rpc' in value
    ? ['A supabase-js client', ' client that createChartroomClient() returns, not its `supabase`.']
    : ['An object']
}
