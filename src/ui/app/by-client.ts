// What outlives the pages but not its client: things by name, which nobody else's client finds.
import { RequestError, type ChartroomClient, type ClientStatus } from '../../index.ts'

export interface ByClient<Thing> {
  /** That of the name; made when it is first asked for. */
  readonly of: (client: ChartroomClient, name: string, make: () => Thing) => Thing
}

/** They go with their client. */
export function keepByClient<Thing extends object>(): ByClient<Thing> {
  const kept = new WeakMap<ChartroomClient, Map<string, Thing>>()
  return {
    of: (client, name, make) => {
      const ofClient = kept.get(client) ?? new Map<string, Thing>()
      kept.set(client, ofClient)
      const thing = ofClient.get(name) ?? make()
      ofClient.set(name, thing)
      return thing
    },
  }
}

/** Whose session it is; nobody's while there is none. */
export const userIn = ({ session }: ClientStatus): string =>
  session.phase === 'authenticated' ? session.user.id : ''

export const userOf = (client: ChartroomClient): string => userIn(client.status())

const ANOTHER = {
  kind: 'auth',
  code: 'not_signed_in',
  message: 'Whoever began this is not signed in any more. Nothing is sent in another’s name.',
} as const

/** Calls of whoever is signed in now, for work that goes on unseen: never in the name of somebody else, or of nobody. */
export function fetchOfUser(client: ChartroomClient): ChartroomClient['fetch'] {
  const user = userOf(client)
  return (path, init, options) =>
    userOf(client) === user
      ? client.fetch(path, init, { ...options, access: 'user' })
      : Promise.reject(new RequestError(ANOTHER))
}
