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
  const wrong = wrongClient(client)
  if (wrong === undefined) return client
  const [what, hint = ' client that createChartroomClient() returns.'] = wrong
  throw new TypeError(`${what} was given: ${usage} needs the${hint}`)
}

/** Returns what was given instead of a client, and what is needed. */
function wrongClient(given: unknown): readonly [what: string, hint?: string] | undefined {
  if (given === undefined || given === null) return ['No client']
  if (typeof given !== 'object') return [`A ${typeof given}`]
  if ('status' in given && 'onStatus' in given) return undefined
  if ('then' in given) return ['A promise', ' client itself. Await it first.']
  return 'from' in given && 'rpc' in given
    ? ['A supabase-js client', ' client that createChartroomClient() returns, not its `supabase`.']
    : ['An object']
}
