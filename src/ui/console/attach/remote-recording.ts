// Another tab's recording, for the console in a separate window; it survives reloads of that tab.
import { type Json } from '../../../trace/codec.ts'
import { decodeValue } from '../../../trace/codec-decode.ts'
import type { ReplayableTrace } from '../../../trace/format.ts'
import type { ConsoleRecording } from '../console-recording.ts'
import type { DrivenBy } from '../drive/driven.ts'
import { RemoteDrive } from './remote-driven.ts'
import { RemoteTrace, type Part } from './remote-trace.ts'
import type { FromApp, FromWindow, Wire } from './tab-protocol.ts'

/** The app signals every second; a background tab may be slower. */
const SILENT_MS = 5_000

export interface RemoteRecording extends ConsoleRecording {
  /**
   * Connects to the app and takes its messages; returns a disconnect function. `now` returns milliseconds.
   */
  connect(wire: WindowWire, now: () => number): () => void
  /** Whether the app is responding. */
  isThere(): boolean
  subscribe(listener: () => void): () => void
  /** Adds a note to a step in the app's recording. */
  bookmark(note: string, step: number): void
  /** Recordings of the tab before its reloads, latest first; a new list when one is added. */
  earlier(): readonly ReplayableTrace[]
  /** Lets the console control the tab's system. */
  readonly control: DrivenBy
}

/** Recordings of closed pages to keep; each may be large. */
const EARLIER_KEPT = 2

type WindowWire = Wire<FromWindow, FromApp>

/** Creates an empty recording. */
export function createRemoteRecording(): RemoteRecording {
  return new Remote()
}

class Remote implements RemoteRecording {
  trace = new RemoteTrace()
  /** The recording being received. */
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

  readonly bookmark = (note: string, step: number): void => this.#wire?.say({ kind: 'bookmark', note, step })

  readonly earlier = (): readonly ReplayableTrace[] => this.#earlier

  readonly start = (): void => this.#wire?.say({ kind: 'start' })

  readonly stop = (): void => this.#wire?.say({ kind: 'stop' })

  readonly download = (): Promise<Blob> =>
    new Promise((resolve, reject) => {
      const ask = this.#asks++
      this.#asked.set(ask, ({ bytes, failure }) => {
        // Files are large: only the requester keeps one.
        this.#asked.delete(ask)
        if (bytes) resolve(bytes)
        else reject(new Error(failure ?? 'The app returned no file.'))
      })
      this.#wire?.say({ kind: 'save', ask })
      setTimeout(() => reject(new Error('The app is not responding.')), SILENT_MS * 2)
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
    // The message belongs to a recording whose start was missed.
    if (said.kind === 'state' && said.run !== this.#run) this.#wire?.say({ kind: 'hello' })
    this.#tell()
  }

  /** The old recording stays visible until the next one has content. */
  #swap(): void {
    if (this.#coming === this.trace || (this.#coming.steps.length === 0 && this.trace.steps.length > 0))
      return
    if (this.#isOtherPage && this.trace.steps.length > 0)
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
