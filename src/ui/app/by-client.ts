// What outlives the pages but not its client: things by name, which nobody else's client finds.
import type { ChartroomClient } from '../../index.ts'

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

/** Whose session the client has; nobody's while there is none. */
export const userOf = (client: ChartroomClient): string => {
  const { session } = client.status()
  return session.phase === 'authenticated' ? session.user.id : ''
}
