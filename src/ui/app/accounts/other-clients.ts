// Clients of accounts that are signed in beside the one in use: made when they are first asked for.
import { createChartroomClient, type ChartroomClient } from '../../../index.ts'
import { storageKeyOf } from './book.ts'

export interface OtherClients {
  /** The client of a slot; it reads the session that lies there. */
  readonly of: (slot: string) => ChartroomClient
  readonly drop: (slot: string) => void
  readonly dispose: () => void
}

/** @param onGone hears of a slot in which nobody is signed in any more. */
export const createOtherClients = (
  { url, key }: { readonly url: string; readonly key: string },
  onGone: (slot: string) => void,
): OtherClients => {
  const clients = new Map<string, ChartroomClient>()
  const drop = (slot: string) => {
    void clients.get(slot)?.dispose()
    clients.delete(slot)
  }
  const make = (slot: string) => {
    // The page's address is for the client in use.
    const options = { url, key, storageKey: storageKeyOf(url, slot), detectSessionInUrl: false }
    const client = createChartroomClient(options)
    clients.set(slot, client)
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
