// One recording on its way to one window: what there is of it in portions, then what comes.
import { encodeValue } from '../../../trace/codec.ts'
import type { ReplayableTrace, TraceSource } from '../../../trace/format.ts'
import { portionOf } from '../../../trace/portion.ts'
import type { ConsoleRecording } from '../console-recording.ts'
import type { FromApp, FromWindow, Wire } from './tab-protocol.ts'

/** Records in one message: some milliseconds of work. */
const PORTION = 500
/** Keyframes in one message: each holds all that lives. */
const KEYFRAMES = 4

/** Begins at once; tells of nothing more once it is ended. */
export class Telling {
  readonly #recording: ConsoleRecording
  readonly #wire: Wire<FromApp, FromWindow>
  readonly #run: string
  readonly #trace: TraceSource
  readonly #unsubscribe: () => void
  #first: unknown
  #told = { actors: 0, stimuli: 0, views: 0, bookmarks: 0, tape: 0, keyframes: 0, damage: 0 }
  #portions = 0
  #state: boolean
  #next: ReturnType<typeof setTimeout> | undefined

  constructor(recording: ConsoleRecording, wire: Wire<FromApp, FromWindow>, run: string) {
    this.#recording = recording
    this.#wire = wire
    this.#run = run
    this.#trace = recording.trace
    // What is put together for those who look on is kept for as long as somebody does.
    this.#unsubscribe = this.#trace.subscribe(() => undefined)
    this.#first = portionOf(this.#trace, 0).views[0]
    this.#state = recording.isRecording()
    wire.say({ kind: 'run', run, isRecording: this.#state, dropped: this.#trace.dropped ?? 0 })
    this.#send([this.#trace.header])
  }

  /** Whether another recording took the place of this one. */
  get isOutdated(): boolean {
    const { views } = portionOf(this.#trace, 0)
    return (
      this.#recording.trace !== this.#trace ||
      views.length < this.#told.views ||
      (this.#first !== undefined && views[0] !== this.#first)
    )
  }

  /** Tells the next portion, and in tasks of their own all further ones, so that the app stays quick. */
  tell(): void {
    const { news, isBehind } = this.#take()
    if (news.length > 0) this.#send(news)
    else if (this.#recording.isRecording() !== this.#state) this.tellState()
    if (!isBehind) return
    this.#next ??= setTimeout(() => {
      this.#next = undefined
      if (!this.isOutdated) this.tell()
    })
  }

  tellState(): void {
    this.#state = this.#recording.isRecording()
    this.#wire.say({ kind: 'state', run: this.#run, isRecording: this.#state })
  }

  end(): void {
    this.#unsubscribe()
    clearTimeout(this.#next)
  }

  #take(): { readonly news: readonly unknown[]; readonly isBehind: boolean } {
    const told = this.#told
    const { actors, stimuli, views, isWhole } = portionOf(this.#trace, PORTION)
    this.#first ??= views[0]
    // Reading these makes all else ready, too.
    const { bookmarks, tape, keyframes } = isWhole ? replayableOf(this.#trace) : NONE
    const damage = isWhole ? this.#trace.damage.map(one => ({ line: 'damage', ...one })) : []
    const lists = { actors, stimuli, views, bookmarks, tape, keyframes, damage }
    const news: unknown[] = []
    let isBehind = !isWhole
    for (const name of NAMES) {
      const list = lists[name]
      const end = Math.min(list.length, told[name] + MOST[name])
      for (const record of list.slice(told[name], end)) news.push(record)
      told[name] = Math.max(told[name], end)
      isBehind ||= end < list.length
    }
    return { news, isBehind }
  }

  #send(records: readonly unknown[]): void {
    const text = JSON.stringify(encodeValue(records))
    this.#wire.say({ kind: 'records', run: this.#run, at: this.#portions, records: text })
    this.#portions += 1
  }
}

/** Records that name others come after those. */
const NAMES = ['actors', 'stimuli', 'views', 'bookmarks', 'tape', 'keyframes', 'damage'] as const
const MOST: Readonly<Record<(typeof NAMES)[number], number>> = {
  actors: Number.POSITIVE_INFINITY,
  stimuli: PORTION,
  views: PORTION,
  bookmarks: PORTION,
  tape: PORTION,
  keyframes: KEYFRAMES,
  damage: PORTION,
}

type Replayed = Pick<ReplayableTrace, 'bookmarks' | 'tape' | 'keyframes'>

const NONE: Replayed = { bookmarks: [], tape: [], keyframes: [] }

/** What a recording has for replays and of notes, where it has it. */
const replayableOf = (trace: TraceSource): Replayed =>
  'tape' in trace ? (trace as TraceSource & Replayed) : NONE
