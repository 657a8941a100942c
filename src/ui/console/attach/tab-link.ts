// The app's end of the console in a window of its own: tells the recording so far, and what comes.
import { encodeValue } from '../../../trace/codec.ts'
import type { ReplayableTrace, TraceSource } from '../../../trace/format.ts'
import type { ConsoleRecording } from '../console-recording.ts'
import type { DrivenBy } from '../drive/driven.ts'
import { DriveLink } from './drive-link.ts'
import type { FromApp, FromWindow, Wire } from './tab-protocol.ts'

/** Records in one message: some milliseconds of work. */
const PORTION = 500
/** How often what came is told, in milliseconds. */
const PACE = 50
const STATE_EVERY = 1_000
/** All that lives is looked at with every so manyeth of these; a hold is told at once. */
const DRIVE_PACE = 4

export interface TabLink {
  /** Says that the page goes. */
  readonly leave: () => void
  /** Ends it; the window goes on showing what it has. */
  readonly close: () => void
}

/** The app's end. */
export type AppWire = Wire<FromApp, FromWindow>

export interface TabLinkOptions {
  readonly recording: ConsoleRecording
  readonly wire: AppWire
  /** Through which the system is driven, if it can be. */
  readonly control?: Pick<DrivenBy, 'open'> | undefined
  readonly newId: () => string
  /** The window was closed, for the console to be shown in the app again. */
  readonly onDock: () => void
}

/** Links a recording to the window, whenever that is there. */
export function linkTab({ recording, wire, control, newId, onDock }: TabLinkOptions): TabLink {
  const drive = new DriveLink(wire, control)
  let telling: Telling | undefined
  let timers: ReturnType<typeof setInterval>[] = []
  let [turn, seen] = [0, -1]
  const begin = () => {
    telling = new Telling(recording, wire, newId())
  }
  const pump = () => {
    if (telling?.isOutdated) begin()
    telling?.tell()
    const version = recording.trace.version()
    turn = (turn + 1) % DRIVE_PACE
    if (turn > 0 || version === seen) return
    seen = version
    drive.tell()
  }
  const beat = () => {
    telling?.tellState()
    drive.beat()
  }
  /** Nothing is done while no window listens. */
  const rest = () => {
    timers.forEach(clearInterval)
    timers = []
    telling = undefined
  }
  const greet = () => {
    rest()
    begin()
    timers = [setInterval(pump, PACE), setInterval(beat, STATE_EVERY)]
  }
  const leave = () => {
    // What was not told yet is lost with the page.
    telling?.tell()
    wire.say({ kind: 'gone' })
  }
  const end = () => {
    rest()
    drive.rest()
  }
  wire.hear(said => {
    if (drive.hear(said) || said.kind === 'alive') return
    if (said.kind === 'hello') greet()
    else if (said.kind === 'start') recording.start()
    else if (said.kind === 'stop') recording.stop()
    else if (said.kind === 'save') void save(recording, wire, said.ask)
    else if (said.kind === 'bookmark') recording.bookmark?.(said.note, said.view)
    else end()
    if (said.kind === 'dock') onDock()
  })
  // A window that outlived the page that was here before.
  wire.say({ kind: 'here' })
  return {
    leave,
    close() {
      end()
      leave()
      wire.close()
    },
  }
}

async function save(recording: ConsoleRecording, wire: AppWire, ask: number): Promise<void> {
  try {
    wire.say({ kind: 'file', ask, bytes: await recording.download() })
  } catch (error) {
    wire.say({ kind: 'file', ask, failure: error instanceof Error ? error.message : String(error) })
  }
}

/** One recording on its way to one window. */
class Telling {
  readonly #recording: ConsoleRecording
  readonly #wire: AppWire
  readonly #run: string
  readonly #trace: TraceSource
  #first: unknown
  #actors = 0
  #stimuli = 0
  #views = 0
  #bookmarks = 0
  #tape = 0
  #keyframes = 0
  #portions = 0
  #state = true

  constructor(recording: ConsoleRecording, wire: AppWire, run: string) {
    this.#recording = recording
    this.#wire = wire
    this.#run = run
    this.#trace = recording.trace
    this.#first = this.#trace.views[0]
    this.#state = recording.isRecording()
    wire.say({ kind: 'run', run, isRecording: this.#state, dropped: this.#trace.dropped ?? 0 })
    this.#send([this.#trace.header])
  }

  /** Whether another recording took the place of this one. */
  get isOutdated(): boolean {
    const { views } = this.#trace
    return (
      this.#recording.trace !== this.#trace ||
      views.length < this.#views ||
      (this.#first !== undefined && views[0] !== this.#first)
    )
  }

  tell(): void {
    const { actors, stimuli, views } = this.#trace
    const { bookmarks, tape, keyframes } = replayableOf(this.#trace)
    this.#first ??= views[0]
    const news = [
      ...actors.slice(this.#actors),
      ...stimuli.slice(this.#stimuli, this.#stimuli + PORTION),
      ...views.slice(this.#views, this.#views + PORTION),
      ...bookmarks.slice(this.#bookmarks),
      ...tape.slice(this.#tape),
      ...keyframes.slice(this.#keyframes),
    ]
    if (news.length === 0) return this.#tellChange()
    this.#actors = actors.length
    this.#bookmarks = bookmarks.length
    this.#tape = tape.length
    this.#keyframes = keyframes.length
    this.#stimuli = Math.min(stimuli.length, this.#stimuli + PORTION)
    this.#views = Math.min(views.length, this.#views + PORTION)
    this.#send(news)
    const isBehind = this.#stimuli < stimuli.length || this.#views < views.length
    // What was before the window came is told in tasks of their own, so that the app stays quick.
    if (isBehind) setTimeout(() => this.tell())
  }

  tellState(): void {
    this.#state = this.#recording.isRecording()
    this.#wire.say({ kind: 'state', run: this.#run, isRecording: this.#state })
  }

  #tellChange(): void {
    if (this.#recording.isRecording() !== this.#state) this.tellState()
  }

  #send(records: readonly unknown[]): void {
    const text = JSON.stringify(encodeValue(records))
    this.#wire.say({ kind: 'records', run: this.#run, at: this.#portions, records: text })
    this.#portions += 1
  }
}

type Replayed = Pick<ReplayableTrace, 'bookmarks' | 'tape' | 'keyframes'>

const NONE: Replayed = { bookmarks: [], tape: [], keyframes: [] }

/** What a recording has for replays and of notes, where it has it. */
const replayableOf = (trace: TraceSource): Replayed =>
  'tape' in trace ? (trace as TraceSource & Replayed) : NONE
