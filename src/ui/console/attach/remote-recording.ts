// Another tab's recording, for the console in a separate window; it survives reloads of that tab.
import {
  type PlacedRecord,
  RecordReader,
  type ReplayableTrace,
  type ActorEntry,
  type BookmarkRecord,
  type Damage,
  type KeyframeRecord,
  type StepRecord,
  type Stimulus,
  type TapeEntry,
  type TraceHeader,
  Listeners,
} from '../../../trace/index.ts'
import { peerMachine } from '../../../machines/console/peer.ts'
import { type Started, startMachine } from '../../../services/runtime/index.ts'
import type { ConsoleRecording } from '../console-recording.ts'
import type { DrivenBy } from '../drive/driven.ts'
import { RemoteCalls } from './remote-calls.ts'
import { RemoteDrive } from './remote-driven.ts'
import type { SystemEntry } from './systems.ts'
import type { FromApp, FromWindow, Wire } from './tab-protocol.ts'

/** How long to wait for a file, in milliseconds. */
const PATIENCE_MS = 10_000

/** Recordings of closed pages to keep; each may be large. */
const EARLIER_KEPT = 2

type WindowWire = Wire<FromWindow, FromApp>

interface ShownSystems {
  readonly entries: readonly SystemEntry[]
  readonly shown: number | undefined
}

/** Empty until the app sends its recording. */
export class RemoteRecording implements ConsoleRecording {
  trace = new RemoteTrace()
  /** The recording being received. */
  #coming = this.trace
  readonly #listeners = new Listeners()
  readonly #files = new RemoteCalls<FromApp & { kind: 'file' }>('The app is not responding.')
  #app: Started<typeof peerMachine> | undefined
  #wire: WindowWire | undefined
  #now = () => 0
  #run = ''
  #next = 0
  #isRecording = true
  /** Time of the window's clock at which the recording began. */
  #began = 0
  #isOtherPage = false
  #problem: string | undefined
  #earlier: readonly ReplayableTrace[] = []
  #systems: ShownSystems = { entries: [], shown: undefined }
  readonly #drive = new RemoteDrive({ send: message => this.#wire?.send(message), now: () => this.#now() })
  /** Lets the console control the tab's system. */
  readonly control: DrivenBy = { open: this.#drive.open, systems: {} }

  /**
   * Connects to the app and takes its messages; returns a disconnect function. `now` returns milliseconds.
   */
  connect(wire: WindowWire, now: () => number): () => void {
    this.#wire = wire
    this.#now = now
    const app = startMachine(peerMachine, {
      serve: () => () => {
        this.#drive.lose()
        this.#listeners.notify()
      },
    })
    this.#app = app
    wire.onMessage(message => this.#receive(message))
    wire.send({ kind: 'hello' })
    return () => {
      this.#app = undefined
      app.stop()
      wire.close()
    }
  }

  /** Whether the app is responding. */
  readonly isThere = (): boolean => this.#app?.snapshot().matches('there') === true

  /** What was wrong with a message since the recording began, as a sentence without its period. */
  readonly problem = (): string | undefined => this.#problem

  readonly isRecording = (): boolean => this.#isRecording && this.isThere()

  readonly elapsed = (): number => this.#now() - this.#began

  /** Adds a note to a step in the app's recording. */
  readonly bookmark = (note: string, step: number): void => this.#wire?.send({ kind: 'bookmark', note, step })

  /** Recordings of the tab before its reloads, latest first; a new list when one is added. */
  readonly earlier = (): readonly ReplayableTrace[] => this.#earlier

  /** The app's systems, if it has several, and the shown one. */
  readonly systems = (): ShownSystems => this.#systems

  /** Requests the recording of another system of the app. */
  readonly show = (system: number): void => this.#wire?.send({ kind: 'show', system })

  readonly start = (): void => this.#wire?.send({ kind: 'start' })

  readonly stop = (): void => this.#wire?.send({ kind: 'stop' })

  readonly download = async (): Promise<Blob> => {
    const { answer } = this.#files.start(PATIENCE_MS, ask => this.#wire?.send({ kind: 'save', ask }))
    const { bytes, failure = 'The app returned no file.' } = await answer
    if (!bytes) throw new Error(failure)
    return bytes
  }

  readonly subscribe = this.#listeners.subscribe

  #receive(message: FromApp): void {
    if (message.kind === 'unreadable') return this.#fail(message.problem)
    // Whatever it says first shows that it is there.
    this.#app?.send({ type: message.kind === 'gone' ? 'peer.left' : 'peer.greeted' })
    if (message.kind === 'here') {
      this.#isOtherPage = true
      this.#wire?.send({ kind: 'hello' })
    }
    const wrong = this.#drive.receive(message)
    if (wrong !== undefined) this.#fail(wrong)
    if (message.kind === 'systems') this.#systems = { entries: message.systems, shown: message.shown }
    if (message.kind === 'state') this.#wire?.send({ kind: 'alive' })
    if (message.kind === 'file') this.#files.answer(message.ask, message)
    if (message.kind === 'run') this.#begin(message.run, message.dropped)
    if (message.kind === 'records' && message.run === this.#run && message.at === this.#next) {
      this.#next += 1
      const unusable = this.#coming.add(message.records)
      if (unusable !== undefined) this.#fail(unusable)
      this.#swap()
    }
    if (message.kind === 'run' || message.kind === 'state') {
      this.#isRecording = message.isRecording
      this.#began = this.#now() - message.elapsed
    }
    // The message belongs to a recording whose start was missed.
    if (message.kind === 'state' && message.run !== this.#run) this.#wire?.send({ kind: 'hello' })
    this.#listeners.notify()
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

  #fail(problem: string): void {
    if (problem === this.#problem) return
    this.#problem = problem
    this.#listeners.notify()
  }

  #begin(run: string, dropped: number): void {
    this.#problem = undefined
    this.#run = run
    this.#next = 0
    this.#coming = new RemoteTrace(dropped)
    this.#swap()
  }
}

const NO_HEADER: TraceHeader = {
  line: 'header',
  format: 1,
  system: 'another tab',
  appVersion: '',
  xstateVersion: '',
  startedAt: '',
  input: undefined,
  machines: {},
  redaction: { policy: '' },
}

/** A trace that grows batch by batch. */
class RemoteTrace implements ReplayableTrace {
  live = true
  readonly dropped: number
  readonly actors: ActorEntry[] = []
  readonly stimuli: Stimulus[] = []
  readonly steps: StepRecord[] = []
  readonly bookmarks: BookmarkRecord[] = []
  readonly tape: TapeEntry[] = []
  readonly keyframes: KeyframeRecord[] = []
  readonly hashes = []
  header = NO_HEADER
  #version = 0
  #lines = 0
  readonly #listeners = new Listeners()
  /** The app is as little trusted as the writer of a file. */
  readonly #reader = new RecordReader({
    header: header => void (this.header = header),
    record: record => this.#place(record),
  })

  /**
   * @param dropped how many leading steps the sender dropped before this window connected, which lowered
   * their numbers
   */
  constructor(dropped = 0) {
    this.dropped = dropped
  }

  readonly version = (): number => this.#version

  readonly subscribe = this.#listeners.subscribe

  /** Marks the trace as complete. */
  ended(): this {
    this.live = false
    return this
  }

  get damage(): readonly Damage[] {
    return this.#reader.damage
  }

  /** Adds lines of a file; returns why they are no recording, if they are none. */
  add(text: string): string | undefined {
    const wrong = this.#reader.take({ kind: 'lines', text, before: this.#lines, isGarbled: false })
    this.#lines += text.split('\n').length
    this.#version += 1
    this.#listeners.notify()
    return wrong && `its recording cannot be read: ${wrong.message}`
  }

  #place(record: PlacedRecord): void {
    if (record.line === 'actor') this.actors.push(record)
    else if (record.line === 'stimulus') this.stimuli.push(record)
    else if (record.line === 'bookmark') this.bookmarks.push(record)
    else if (record.line === 'tape') this.tape.push(record)
    else if (record.line === 'keyframe') this.keyframes.push(record)
    else if (record.line === 'step') this.steps.push(record)
  }
}
