// Streams one recording to one window: existing records in batches, then new ones.
import { batchOf, encodeValue, type ReplayableTrace, type TraceSource } from '../../../trace/index.ts'
import type { ConsoleRecording } from '../console-recording.ts'
import type { FromApp, FromWindow, Wire } from './tab-protocol.ts'

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
  #next: ReturnType<typeof setTimeout> | undefined

  constructor(recording: ConsoleRecording, wire: Wire<FromApp, FromWindow>, run: string) {
    this.#recording = recording
    this.#wire = wire
    this.#run = run
    this.#trace = recording.trace
    // A subscription keeps the trace's derived data cached while the window is connected.
    this.#unsubscribe = this.#trace.subscribe(() => undefined)
    this.#first = batchOf(this.#trace, 0).steps[0]
    this.#state = recording.isRecording()
    wire.send({ kind: 'run', run, isRecording: this.#state, dropped: this.#trace.dropped ?? 0 })
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
    if (!isBehind) return
    this.#next ??= setTimeout(() => {
      this.#next = undefined
      if (!this.isOutdated) this.notify()
    })
  }

  sendState(): void {
    this.#state = this.#recording.isRecording()
    this.#wire.send({ kind: 'state', run: this.#run, isRecording: this.#state })
  }

  end(): void {
    this.#unsubscribe()
    clearTimeout(this.#next)
  }

  #take(): { readonly news: readonly unknown[]; readonly isBehind: boolean } {
    const sent = this.#sent
    const { actors, stimuli, steps, isWhole } = batchOf(this.#trace, BATCH)
    this.#first ??= steps[0]
    // Reading these makes the rest ready as well.
    const { bookmarks, tape, keyframes } = isWhole ? replayableOf(this.#trace) : NONE
    const damage = isWhole ? this.#trace.damage.map(one => ({ line: 'damage', ...one })) : []
    const lists = { actors, stimuli, steps, bookmarks, tape, keyframes, damage }
    const news: unknown[] = []
    let isBehind = !isWhole
    for (const name of NAMES) {
      const list = lists[name]
      const end = Math.min(list.length, sent[name] + MOST[name])
      for (const record of list.slice(sent[name], end)) news.push(record)
      sent[name] = Math.max(sent[name], end)
      isBehind ||= end < list.length
    }
    return { news, isBehind }
  }

  #send(records: readonly unknown[]): void {
    const text = JSON.stringify(encodeValue(records))
    this.#wire.send({ kind: 'records', run: this.#run, at: this.#portions, records: text })
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
