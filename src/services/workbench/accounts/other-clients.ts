// Clients of the other signed-in accounts, created on first use.
import { type ControlHandle, createControl } from '../../control/index.ts'
import { type ChartroomClient, createClientBeforeSupabase } from '../../client/index.ts'
import { createHostMonitor } from '../hosts/host-monitor.ts'
import { recordEverything } from '../../client/record-everything.ts'
import { storageKeyOf } from './account-list.ts'

export interface OtherClients {
  /** The client of a slot; it loads the session stored there. */
  readonly of: (slot: string) => ChartroomClient
  readonly drop: (slot: string) => void
  readonly dispose: () => void
}

export interface OtherClientsNews {
  /** The slot's user signed out. */
  readonly onGone: (slot: string) => void
  /** The client is recorded and can be controlled, like the current one. */
  readonly onMade: (slot: string, client: ChartroomClient, control: ControlHandle) => void
}

export const createOtherClients = (
  { url, key }: { readonly url: string; readonly key: string },
  { onGone, onMade }: OtherClientsNews,
): OtherClients => {
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
      storageKey: storageKeyOf(url, slot),
      detectSessionInUrl: false,
      fetch,
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
    dispose: () => {
      for (const slot of clients.keys()) drop(slot)
    },
  }
}
