// Holds the one client that is in use, made on `open` and disposed on `close`; what it records is kept.
import type { ChartroomClient, ChartroomOptions } from '../../index.ts'
import { createControl, type ControlHandle } from '../../control.ts'
import { createSeatedLine } from '../../probe.ts'
import { recordEverything } from '../../recording.ts'
import type { TraceStore, Writing } from '../../store.ts'
import { createClientBeforeSupabase } from '../../workbench-client.ts'
import { keepLine } from './lines.ts'
import { Listeners } from './listeners.ts'

/** Gives the store of recordings, which comes when it is first asked for. */
export type LoadTraceStore = () => Promise<TraceStore>

export interface ClientStore {
  readonly client: () => ChartroomClient | undefined
  /** Counts the clients that there were. */
  readonly generation: () => number
  /** Through which the client can be driven. */
  readonly control: () => ControlHandle | undefined
  readonly subscribe: (listener: () => void) => () => void
  readonly open: (options: ChartroomOptions) => void
  readonly close: () => void
}

/** Loads the store once; without it nothing is kept, and nothing else is different. */
export const createTraceStoreLoader = (): LoadTraceStore => {
  let loading: Promise<TraceStore> | undefined
  return () => (loading ??= import('../../store.ts').then(({ createBrowserStore }) => createBrowserStore()))
}

/** A store without a client; what it records is kept from `quiet` on. */
export const createClientStore = (traces: LoadTraceStore, quiet: Promise<void>): ClientStore => {
  let current: ChartroomClient | undefined
  let control: ControlHandle | undefined
  let opened = ''
  let generation = 0
  let isClosing = false
  let writing: Promise<Writing | undefined> | undefined
  const listeners = new Listeners()
  const set = (next: ChartroomClient | undefined) => {
    const before = current
    current = next
    generation += 1
    // What dispose has to end, it ends by itself; nobody waits for it.
    void before?.dispose()
    void writing?.then(there => there?.stop())
    writing = next?.recording && keep(quiet.then(traces), next.recording)
    listeners.tell()
  }
  return {
    client: () => current,
    generation: () => generation,
    control: () => control,
    subscribe: listeners.subscribe,
    open: options => {
      const wanted = JSON.stringify(options)
      const isAgain = isClosing && wanted === opened
      isClosing = false
      if (isAgain) return
      opened = wanted
      control = createControl()
      const [line, seated] = createSeatedLine(control)
      const recording = recordEverything()
      const client = createClientBeforeSupabase({ ...options, recording, control: seated })
      keepLine(client, line)
      set(client)
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

/** From its first event on, however late the store comes: until then the recording is in memory. */
async function keep(
  traces: Promise<TraceStore>,
  recording: NonNullable<ChartroomClient['recording']>,
): Promise<Writing | undefined> {
  const store = await traces.catch(() => undefined)
  return store?.write(recording)
}
