// The accounts signed in at a backend, and the clients of those that are not the current one.
import {
  type ChartroomClient,
  type DataClient,
  type RequestOptions,
  type Result,
  createClientBeforeSupabase,
} from '../../client/index.ts'
import { type Account, storageKeyOf } from './account-list.ts'
import { type ControlHandle, createControl } from '../../control/index.ts'
import { createHostMonitor } from '../hosts/host-monitor.ts'
import { TIME_LIMITS } from '../hosts/time-limits.ts'
import { recordEverything } from '../../client/record-everything.ts'

/** Data access as a specific user; a subset of a client. */
export interface AccountClient {
  readonly with: (options: RequestOptions) => DataClient<unknown>
  /** Like the client's `fetch`, with the full response. */
  readonly fetch: ChartroomClient['fetch']
  /** The client whose recording has the requests. */
  readonly client: ChartroomClient
}

export interface Accounts {
  /** Signed-in accounts, oldest first. */
  readonly list: readonly Account[]
  /** This tab's account; undefined while signed out. */
  readonly active: Account | undefined
  /** Opens the sign-in page for one more account; the others stay signed in. */
  readonly add: () => void
  /** Switches to another account, by `Account.id`. */
  readonly switchTo: (id: string) => void
  readonly signOut: (id: string, scope?: 'local' | 'global') => Promise<Result<void>>
  /** Sends requests as another user without switching: `clientOf(id).with({}).from('log')`. */
  readonly clientOf: (who: string) => AccountClient
}

/** For `clientOf`: with the API key only. */
export const ANONYMOUS = 'anonymous'

export interface OtherClients {
  /** The client of a slot; it loads the session stored there. */
  readonly of: (slot: string) => ChartroomClient
  readonly drop: (slot: string) => void
  /** Sends another API key from now on. */
  readonly replaceKey: (key: string) => void
  readonly dispose: () => void
}

interface OtherClientsNews {
  /** The slot's user signed out. */
  readonly onGone: (slot: string) => void
  /** The client is recorded and can be controlled, like the current one. */
  readonly onMade: (slot: string, client: ChartroomClient, control: ControlHandle) => void
}

export const createOtherClients = (
  { url, ...credentials }: { readonly url: string; readonly key: string },
  { onGone, onMade }: OtherClientsNews,
): OtherClients => {
  let { key } = credentials
  const clients = new Map<string, ChartroomClient>()
  const drop = (slot: string) => {
    void clients.get(slot)?.dispose()
    clients.delete(slot)
  }
  const make = (slot: string) => {
    // Only the current client reads the page's URL.
    const { fetch } = createHostMonitor()
    const control = createControl()
    const client = createClientBeforeSupabase({
      url,
      key,
      auth: { storageKey: storageKeyOf(url, slot), detectSessionInUrl: false },
      global: { fetch },
      timings: TIME_LIMITS,
      recording: recordEverything(),
      control,
    })
    clients.set(slot, client)
    onMade(slot, client, control)
    client.onStatus(({ session }) => {
      if (session.phase === 'signedOut') onGone(slot)
    })
    return client
  }
  return {
    of: slot => clients.get(slot) ?? make(slot),
    drop,
    replaceKey: next => {
      if (next === key) return
      key = next
      for (const client of clients.values()) client.replaceKey(next)
    },
    dispose: () => {
      for (const slot of clients.keys()) drop(slot)
    },
  }
}
