// Clients of accounts that are signed in beside the one in use: made when they are first asked for.
import { createControl, type ControlHandle } from '../../../control.ts'
import type { ChartroomClient } from '../../../index.ts'
import { createClientBeforeSupabase } from '../../../workbench-client.ts'
import { createLine } from '../../../probe.ts'
import { recordEverything } from '../../../recording.ts'
import { storageKeyOf } from './book.ts'

export interface OtherClients {
  /** The client of a slot; it reads the session that lies there. */
  readonly of: (slot: string) => ChartroomClient
  readonly drop: (slot: string) => void
  readonly dispose: () => void
}

export interface OtherClientsNews {
  /** Nobody is signed in there any more. */
  readonly onGone: (slot: string) => void
  /** It is recorded and can be driven, as the one in use. */
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
    // The page's address is for the client in use.
    const { fetch } = createLine()
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
