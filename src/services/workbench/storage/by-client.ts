// Named objects that outlive pages and live as long as their client; not shared between clients.
import { RequestError } from '../../runtime/index.ts'
import type { ChartroomClient, ClientStatus } from '../../client/index.ts'

export interface ByClient<Thing> {
  /** The object of that name; created on first use. */
  readonly of: (client: ChartroomClient, name: string, make: () => Thing) => Thing
}

/** The objects are released with their client. */
export function keepByClient<Thing extends object>(): ByClient<Thing> {
  const thingsByClient = new WeakMap<ChartroomClient, Map<string, Thing>>()
  return {
    of: (client, name, make) => {
      const ofClient = thingsByClient.get(client) ?? new Map<string, Thing>()
      thingsByClient.set(client, ofClient)
      const thing = ofClient.get(name) ?? make()
      ofClient.set(name, thing)
      return thing
    },
  }
}

/** Id of the signed-in user; an empty string while signed out. */
export const userIn = ({ session }: ClientStatus): string =>
  session.phase === 'authenticated' ? session.user.id : ''

export const userOf = (client: ChartroomClient): string => userIn(client.status())

const ANOTHER = {
  kind: 'auth',
  code: 'not_signed_in',
  message: 'The user who started this is no longer signed in. Nothing is sent as another user.',
} as const

/** Returns a fetch bound to the current user: it rejects once another user or no user is signed in. */
export function fetchOfUser(client: ChartroomClient): ChartroomClient['fetch'] {
  const user = userOf(client)
  return (path, init, options) =>
    userOf(client) === user
      ? client.fetch(path, init, { ...options, access: 'user' })
      : Promise.reject(new RequestError(ANOTHER))
}
