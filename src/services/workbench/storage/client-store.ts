// Holds the current client, created on `open` and disposed on `close`; stores its recording.
import { Listeners } from '../../../trace/index.ts'
import {
  type ChartroomClient,
  type ChartroomOptions,
  createClientBeforeSupabase,
} from '../../client/index.ts'
import { type ControlHandle, createControl } from '../../control/index.ts'
import { createBackendHealth, keepBackendHealth } from '../hosts/backend-health.ts'
import { createControlledMonitor } from '../hosts/host-monitor.ts'
import { TIME_LIMITS } from '../hosts/time-limits.ts'
import { recordEverything } from '../../client/record-everything.ts'
import type { TraceStore, Writing } from '../../recording/index.ts'

/** Returns the recording store, which loads on first use. */
export type LoadTraceStore = () => Promise<TraceStore>

export interface ClientStore {
  readonly client: () => ChartroomClient | undefined
  /** Number of clients so far. */
  readonly generation: () => number
  /** Control handle of the client. */
  readonly control: () => ControlHandle | undefined
  readonly subscribe: (listener: () => void) => () => void
  readonly open: (options: ChartroomOptions) => void
  readonly close: () => void
}

/** Loads the store once. If that fails, recordings are not stored; everything else works. */
export const createTraceStoreLoader = (): LoadTraceStore => {
  let loading: Promise<TraceStore> | undefined
  return () =>
    (loading ??= import('../../recording/store/browser-store.ts').then(({ createBrowserStore }) =>
      createBrowserStore(),
    ))
}

/** Creates a store without a client; writes recordings once `quiet` resolves. */
export const createClientStore = (traces: LoadTraceStore, idle: Promise<void>): ClientStore => {
  let current: ChartroomClient | undefined
  let control: ControlHandle | undefined
  let opened = ''
  let key = ''
  let generation = 0
  let isClosing = false
  let writing: Promise<Writing | undefined> | undefined
  const listeners = new Listeners()
  const set = (next: ChartroomClient | undefined) => {
    const before = current
    current = next
    generation += 1
    // Dispose runs in the background; nothing waits for it.
    void before?.dispose()
    void writing?.then(sync => sync?.stop())
    writing = next?.recording && saveRecording(idle.then(traces), next.recording)
    listeners.notify()
  }
  return {
    client: () => current,
    generation: () => generation,
    control: () => control,
    subscribe: listeners.subscribe,
    open: options => {
      const signature = JSON.stringify({ ...options, key: undefined })
      const isAgain = isClosing && signature === opened
      isClosing = false
      if (isAgain) {
        // The session, the pages and unsaved work stay.
        if (options.key !== undefined && options.key !== key) current?.replaceKey((key = options.key))
        return
      }
      opened = signature
      key = options.key ?? ''
      control = createControl()
      const [monitor, controlled] = createControlledMonitor(control)
      const recording = recordEverything()
      const client = createClientBeforeSupabase({
        timings: TIME_LIMITS,
        ...options,
        recording,
        control: controlled,
      })
      keepBackendHealth(client, createBackendHealth({ client, key: () => key, monitor }))
      set(client)
    },
    close: () => {
      isClosing = true
      // In development React unmounts and remounts at once; the first client would consume the page's link.
      queueMicrotask(() => {
        if (!isClosing) return
        isClosing = false
        set(undefined)
      })
    },
  }
}

/** Stores the recording from its first event: it stays in memory until the store has loaded. */
async function saveRecording(
  traces: Promise<TraceStore>,
  recording: NonNullable<ChartroomClient['recording']>,
): Promise<Writing | undefined> {
  const store = await traces.catch(() => undefined)
  return store?.write(recording)
}
