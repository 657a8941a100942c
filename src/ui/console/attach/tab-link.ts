// The app's end of the console in a separate window: sends the recording so far, then new records.
import { peerMachine } from '../../../machines/console/peer.ts'
import { nextTurn, repeat, startMachine } from '../../../services/runtime/index.ts'
import type { ConsoleMoment, ConsoleRecording, OnMoment } from '../console-recording.ts'
import type { DrivenBy } from '../drive/driven.ts'
import type { PlaceParams } from '../model/location.ts'
import { DriveLink } from './drive-link.ts'
import type { FromApp, FromWindow, Wire } from './tab-protocol.ts'
import {
  batchOf,
  recordText,
  type ReplayableTrace,
  type StepRecord,
  type TraceSource,
} from '../../../trace/index.ts'

/** How often new records are sent, in milliseconds. */
const PACE = 50
/** Full state is sent every Nth tick; pauses are sent immediately. */
const DRIVE_PACE = 4

export interface TabLink {
  /** Reports that the page is closing. */
  readonly leave: () => void
  /** Closes the link; the window keeps showing what it has. */
  readonly close: () => void
}

/** The app's end. */
export type AppWire = Wire<FromApp, FromWindow>

export interface TabLinkOptions {
  readonly recording: ConsoleRecording
  readonly wire: AppWire
  /** Control of the system, if available. */
  readonly control?: Pick<DrivenBy, 'open'> | undefined
  readonly newId: () => string
  /** Called with the console's place when the user closes the window to dock the console in the app. */
  readonly onDock: (at: PlaceParams) => void
  /** Called with the past moment that the window shows, and with undefined when it shows none. */
  readonly onMoment?: OnMoment | undefined
}

/** Links a recording to the window whenever the window is connected. */
export function linkTab(options: TabLinkOptions): TabLink {
  const { recording, wire, control, newId, onDock, onMoment } = options
  const drive = new DriveLink(wire, control)
  let telling: TraceStreamer | undefined
  let [turn, seen] = [0, -1]
  /** Whether a window that counts as gone had control, in case it was only suspended. */
  let wasDriving = false
  const begin = () => {
    telling?.end()
    telling = new TraceStreamer(recording, wire, newId())
  }
  const pump = () => {
    if (telling?.isOutdated) begin()
    telling?.notify()
    const version = recording.trace.version()
    turn = (turn + 1) % DRIVE_PACE
    if (turn > 0 || version === seen) return
    seen = version
    drive.report()
  }
  const end = () => {
    telling?.end()
    telling = undefined
    drive.rest()
    onMoment?.(undefined)
  }
  const peer = startMachine(peerMachine, {
    serve({ input: { isBack }, receive }) {
      if (isBack) begin()
      if (isBack && wasDriving) drive.receive({ kind: 'drive' })
      receive(() => {
        telling?.sendState()
        drive.report(true)
      })
      const stop = repeat(pump, PACE)
      return () => {
        stop()
        wasDriving = drive.isDriven
        end()
      }
    },
  })
  /** Also what a window did that never said hello. */
  const endUnserved = () => {
    if (!peer.snapshot().matches('there')) end()
  }
  const leave = () => {
    // Unsent records are lost with the page.
    telling?.notify()
    wire.send({ kind: 'gone' })
  }
  wire.onMessage(message => {
    if (message.kind === 'closed' || message.kind === 'dock') {
      if (message.kind === 'dock') drive.handOver()
      endUnserved()
      peer.send({ type: 'peer.left' })
      if (message.kind === 'dock') onDock(message.at)
      return
    }
    peer.send({ type: message.kind === 'hello' ? 'peer.greeted' : 'peer.heard' })
    if (drive.receive(message)) return
    if (message.kind === 'hello') begin()
    else if (message.kind === 'start') recording.start()
    else if (message.kind === 'stop') recording.stop()
    else if (message.kind === 'save') void save(recording, wire, message.ask)
    else if (message.kind === 'moment') onMoment?.(momentAt(recording.trace, message.step, wire))
    else if (message.kind === 'bookmark') recording.bookmark?.(message.note, message.step)
  })
  // The window may have outlived the previous page.
  wire.send({ kind: 'here' })
  return {
    leave,
    close() {
      leave()
      endUnserved()
      peer.stop()
      wire.close()
    },
  }
}

/** The moment that the window shows, if the recording still has it. */
function momentAt(trace: TraceSource, shown: number | undefined, wire: AppWire): ConsoleMoment | undefined {
  const step = batchOf(trace, 0).steps[(shown ?? -1) - (trace.dropped ?? 0)]
  if (!step) return undefined
  const toNow = () => wire.send({ kind: 'now' })
  return { step: step.seq, t: step.t, latest: latestIn(trace, step.seq), toNow }
}

/**
 * Looks up the latest step of an actor, searching backwards from a step; each step is visited once. A restarted
 * actor is listed again at its path.
 */
function latestIn(trace: TraceSource, from: number): ConsoleMoment['latest'] {
  const { steps, actors } = batchOf(trace, 0)
  const found = new Map<number, StepRecord>()
  let next = from
  return path => {
    const indices = actors.filter(actor => actor.path === path).map(({ index }) => index)
    const known = () => indices.flatMap(index => found.get(index) ?? [])
    for (; indices.length > 0 && next >= 0 && known().length === 0; next--) {
      const step = steps[next]
      if (step && !found.has(step.actor)) found.set(step.actor, step)
    }
    return known().reduce<StepRecord | undefined>(
      (last, step) => (last && last.seq > step.seq ? last : step),
      undefined,
    )
  }
}

async function save(recording: ConsoleRecording, wire: AppWire, ask: number): Promise<void> {
  try {
    wire.send({ kind: 'file', ask, bytes: await recording.download() })
  } catch (error) {
    wire.send({ kind: 'file', ask, failure: error instanceof Error ? error.message : String(error) })
  }
}

/** Records per message: a few milliseconds of work. */
const BATCH = 500
/** Keyframes per message: each holds the state of every live actor. */
const KEYFRAMES = 4

/** Starts immediately; sends nothing after it is ended. */
export class TraceStreamer {
  readonly #recording: ConsoleRecording
  readonly #wire: Wire<FromApp, FromWindow>
  readonly #run: string
  readonly #trace: TraceSource
  readonly #unsubscribe: () => void
  #first: unknown
  #sent = { actors: 0, stimuli: 0, steps: 0, bookmarks: 0, tape: 0, keyframes: 0, damage: 0 }
  #portions = 0
  #state: boolean
  #isWaiting = false
  #hasEnded = false

  constructor(recording: ConsoleRecording, wire: Wire<FromApp, FromWindow>, run: string) {
    this.#recording = recording
    this.#wire = wire
    this.#run = run
    this.#trace = recording.trace
    // A subscription keeps the trace's derived data cached while the window is connected.
    this.#unsubscribe = this.#trace.subscribe(() => undefined)
    this.#first = batchOf(this.#trace, 0).steps[0]
    this.#state = recording.isRecording()
    const dropped = this.#trace.dropped ?? 0
    wire.send({ kind: 'run', run, isRecording: this.#state, elapsed: recording.elapsed(), dropped })
    this.#send([this.#trace.header])
  }

  /** Whether another recording has replaced this one. */
  get isOutdated(): boolean {
    const { steps } = batchOf(this.#trace, 0)
    return (
      this.#recording.trace !== this.#trace ||
      steps.length < this.#sent.steps ||
      (this.#first !== undefined && steps[0] !== this.#first)
    )
  }

  /** Sends the next batch now and all further ones in separate tasks, so that the app stays responsive. */
  notify(): void {
    const { news, isBehind } = this.#take()
    if (news.length > 0) this.#send(news)
    else if (this.#recording.isRecording() !== this.#state) this.sendState()
    if (!isBehind || this.#isWaiting) return
    this.#isWaiting = true
    void nextTurn().then(() => {
      this.#isWaiting = false
      if (!this.#hasEnded && !this.isOutdated) this.notify()
    })
  }

  sendState(): void {
    this.#state = this.#recording.isRecording()
    const elapsed = this.#recording.elapsed()
    this.#wire.send({ kind: 'state', run: this.#run, isRecording: this.#state, elapsed })
  }

  end(): void {
    this.#unsubscribe()
    this.#hasEnded = true
  }

  #take(): { readonly news: readonly object[]; readonly isBehind: boolean } {
    const sent = this.#sent
    const { actors, stimuli, steps, isWhole } = batchOf(this.#trace, BATCH)
    this.#first ??= steps[0]
    // Reading these makes the rest ready as well.
    const { bookmarks, tape, keyframes } = isWhole ? replayableOf(this.#trace) : NONE
    const damage = isWhole ? this.#trace.damage.map(one => ({ line: 'damage', ...one })) : []
    const lists = { actors, stimuli, steps, bookmarks, tape, keyframes, damage }
    const causes =
      1 + steps.slice(sent.steps, sent.steps + BATCH).reduce((last, { cause }) => Math.max(last, cause), -1)
    const news: object[] = []
    let isBehind = !isWhole
    for (const name of NAMES) {
      const list = lists[name]
      const most = name === 'stimuli' ? Math.max(sent[name] + BATCH, causes) : sent[name] + MOST[name]
      const end = Math.min(list.length, most)
      for (const record of list.slice(sent[name], end)) news.push(record)
      sent[name] = Math.max(sent[name], end)
      isBehind ||= end < list.length
    }
    return { news, isBehind }
  }

  #send(records: readonly object[]): void {
    const lines = records.map(record => recordText(record)).join('\n')
    this.#wire.send({ kind: 'records', run: this.#run, at: this.#portions, records: lines })
    this.#portions += 1
  }
}

/** Records that reference others come after them. */
const NAMES = ['actors', 'stimuli', 'steps', 'bookmarks', 'tape', 'keyframes', 'damage'] as const
const MOST: Readonly<Record<(typeof NAMES)[number], number>> = {
  actors: Number.POSITIVE_INFINITY,
  stimuli: BATCH,
  steps: BATCH,
  bookmarks: BATCH,
  tape: BATCH,
  keyframes: KEYFRAMES,
  damage: BATCH,
}

type Replayed = Pick<ReplayableTrace, 'bookmarks' | 'tape' | 'keyframes'>

const NONE: Replayed = { bookmarks: [], tape: [], keyframes: [] }

/** Returns a recording's replay data and notes, where it has them. */
const replayableOf = (trace: TraceSource): Replayed =>
  'tape' in trace ? (trace as TraceSource & Replayed) : NONE
