// The page of the store's browser tests: a running, recorded random system, and a store.
import { createSegments, type Segments } from '../../src/services/recording/store/segments.ts'
import { createBrowserStore, type TraceStore, type Writing } from '../../src/public/devtools/store.ts'
import { createRandomRun } from './random-system.ts'

/** What a test does with the page. */
export interface StorePage {
  readonly store: TraceStore
  /** Runs the system and writes its recording until the page ends; reports every stimulus. */
  run(seed: number): void
  /** Some steps at once. */
  drive(events: number): Promise<void>
  readonly segments: Segments | undefined
  readonly writing: Writing | undefined
  /** The file as base64. */
  file(id: string): Promise<string>
}

declare global {
  interface Window {
    page: StorePage
    /** The number of stimuli, and when it was read. */
    note?: (stimuli: number, at: number) => void
  }
}

const options = JSON.parse(new URLSearchParams(location.search).get('options') ?? '{}') as object
const store = createBrowserStore(options)
let [segments, writing]: [Segments?, Writing?] = []
let go: (events: number) => Promise<void> = () => Promise.resolve()

window.page = {
  store,
  get segments() {
    return segments
  },
  get writing() {
    return writing
  },
  drive: events => go(events),
  run(seed) {
    const { recorder, clock, drive } = createRandomRun(seed, 0.2)
    const made = (segments = createSegments(recorder, clock.now))
    go = drive
    recorder.start()
    writing = store.write({ segments })
    const step = async () => {
      await drive(1)
      window.note?.(made.trace.stimuli.length, Date.now())
      setTimeout(() => void step(), 4)
    }
    if (window.note) void step()
  },
  async file(id) {
    const bytes = new Uint8Array((await (await store.open(id))?.arrayBuffer()) ?? [])
    return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
  },
}
