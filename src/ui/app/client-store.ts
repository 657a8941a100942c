// Holds the one client that is in use, made on `open` and disposed on `close`.
import { createChartroomClient, type ChartroomClient, type ChartroomOptions } from '../../index.ts'
import { recordEverything } from '../../recording.ts'

export interface ClientStore {
  readonly client: () => ChartroomClient | undefined
  readonly subscribe: (listener: () => void) => () => void
  readonly open: (options: ChartroomOptions) => void
  readonly close: () => void
}

/** A store without a client. */
export const createClientStore = (): ClientStore => {
  let current: ChartroomClient | undefined
  let opened = ''
  let isClosing = false
  const listeners = new Set<() => void>()
  const set = (next: ChartroomClient | undefined) => {
    const before = current
    current = next
    // What dispose has to end, it ends by itself; nobody waits for it.
    void before?.dispose()
    for (const listener of listeners) listener()
  }
  return {
    client: () => current,
    subscribe: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open: options => {
      const wanted = JSON.stringify(options)
      const isAgain = isClosing && wanted === opened
      isClosing = false
      if (isAgain) return
      opened = wanted
      set(createChartroomClient({ ...options, recording: recordEverything() }))
    },
    close: () => {
      isClosing = true
      // In development React leaves and comes back at once; the first client would have spent the page's link.
      queueMicrotask(() => {
        if (!isClosing) return
        isClosing = false
        set(undefined)
      })
    },
  }
}
