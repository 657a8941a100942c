// A recording that another tab makes, as the console in a window of its own holds it: it outlives that tab's reload.
import { type Json } from '../../../trace/codec.ts'
import { decodeValue } from '../../../trace/codec-decode.ts'
import type { ReplayableTrace } from '../../../trace/format.ts'
import type { ConsoleRecording } from '../console-recording.ts'
import type { DrivenBy } from '../drive/driven.ts'
import { RemoteDrive } from './remote-driven.ts'
import { RemoteTrace, type Part } from './remote-trace.ts'
import type { FromApp, FromWindow, Wire } from './tab-protocol.ts'

/** The app says every second that it is there; a tab in the background may be slow. */
const SILENT_MS = 5_000

export interface RemoteRecording extends ConsoleRecording {
  /** Says hello to the app and takes what it tells; returns what ends it. `now` gives milliseconds. */
  connect(wire: WindowWire, now: () => number): () => void
  /** Whether the app speaks. */
  isThere(): boolean
  subscribe(listener: () => void): () => void
  /** Puts a note on a step, in the app's recording. */
  bookmark(note: string, view: number): void
  /** Recordings of the tab before it was loaded again, the latest first; another list when one comes. */
  earlier(): readonly ReplayableTrace[]
  /** For the console to drive the tab's system. */
  readonly control: DrivenBy
}

/** Recordings of pages that are gone; each may be large. */
const EARLIER_KEPT = 2

type WindowWire = Wire<FromWindow, FromApp>

/** Creates one that has heard nothing. */
export function createRemoteRecording(): RemoteRecording {
  return new Remote()
}

class Remote implements RemoteRecording {
  trace = new RemoteTrace()
  /** The one that is being told. */
  #coming = this.trace
  readonly #listeners = new Set<() => void>()
  readonly #asked = new Map<number, (said: FromApp & { kind: 'file' }) => void>()
  #asks = 0
  #wire: WindowWire | undefined
  #now = () => 0
  #run = ''
  #next = 0
  #isRecording = true
  #heard = Number.NEGATIVE_INFINITY
  #isOtherPage = false
  #earlier: readonly ReplayableTrace[] = []
  readonly #drive = new RemoteDrive({ say: said => this.#wire?.say(said), now: () => this.#now() })
  readonly control: DrivenBy = { open: this.#drive.open, systems: {} }

  connect(wire: WindowWire, now: () => number): () => void {
    this.#wire = wire
    this.#now = now
    wire.hear(said => this.#hear(said))
    const look = setInterval(() => {
      if (!this.isThere()) this.#drive.lose()
      this.#tell()
    }, SILENT_MS)
    wire.say({ kind: 'hello' })
    return () => {
      clearInterval(look)
      wire.close()
    }
  }

  readonly isThere = (): boolean => this.#now() - this.#heard < SILENT_MS

  readonly isRecording = (): boolean => this.#isRecording && this.isThere()

  readonly bookmark = (note: string, view: number): void => this.#wire?.say({ kind: 'bookmark', note, view })

  readonly earlier = (): readonly ReplayableTrace[] => this.#earlier

  readonly start = (): void => this.#wire?.say({ kind: 'start' })

  readonly stop = (): void => this.#wire?.say({ kind: 'stop' })

  readonly download = (): Promise<Blob> =>
    new Promise((resolve, reject) => {
      const ask = this.#asks++
      this.#asked.set(ask, ({ bytes, failure }) => {
        // Files are large: who asked for one keeps it, and nobody else.
        this.#asked.delete(ask)
        if (bytes) resolve(bytes)
        else reject(new Error(failure ?? 'The app gave no file.'))
      })
      this.#wire?.say({ kind: 'save', ask })
      setTimeout(() => reject(new Error('The app does not answer.')), SILENT_MS * 2)
    })

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #hear(said: FromApp): void {
    this.#heard = said.kind === 'gone' ? Number.NEGATIVE_INFINITY : this.#now()
    if (said.kind === 'here') {
      this.#isOtherPage = true
      this.#wire?.say({ kind: 'hello' })
    }
    this.#drive.hear(said)
    if (said.kind === 'state') this.#wire?.say({ kind: 'alive' })
    if (said.kind === 'file') this.#asked.get(said.ask)?.(said)
    if (said.kind === 'run') this.#begin(said.run, said.dropped)
    if (said.kind === 'records' && said.run === this.#run && said.at === this.#next) {
      this.#next += 1
      this.#coming.add(decodeValue(JSON.parse(said.records) as Json) as readonly Part[])
      this.#swap()
    }
    if (said.kind === 'run' || said.kind === 'state') this.#isRecording = said.isRecording
    // It speaks of a recording that was not heard from its beginning.
    if (said.kind === 'state' && said.run !== this.#run) this.#wire?.say({ kind: 'hello' })
    this.#tell()
  }

  /** What is there stays in view until there is something of the next one. */
  #swap(): void {
    if (this.#coming === this.trace || (this.#coming.views.length === 0 && this.trace.views.length > 0))
      return
    if (this.#isOtherPage && this.trace.views.length > 0)
      this.#earlier = [this.trace.ended(), ...this.#earlier].slice(0, EARLIER_KEPT)
    this.#isOtherPage = false
    this.trace = this.#coming
  }

  #begin(run: string, dropped: number): void {
    this.#run = run
    this.#next = 0
    this.#coming = new RemoteTrace(dropped)
    this.#swap()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}
