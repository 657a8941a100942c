// When a value of an actor became another one: looked for in portions, going on as the trace grows.
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import type { Details } from '../model/details.ts'
import { stateChange, type StateChange } from '../state-change.ts'
import type { Glimpse } from '../model/glimpse.ts'

/** Views asked about at once, at first and at most: what they hold may be large or small. */
const FIRST_PORTION = 64
const MOST_PORTION = 2_000
/** Milliseconds between two portions above which they are too large, and below which they may be larger. */
const SLOW = 34
const QUICK = 20

export interface HistoryOf {
  readonly timeline: Timeline
  readonly details: Details
  readonly actor: number
  /** `/state`, `/context`, or a place below that. */
  readonly pointer: string
}

/** The history of one value. Of states it is known at once. */
export class ChangeHistory {
  readonly of: HistoryOf
  /** Why it could not be looked through. */
  failure: string | undefined
  readonly #found: number[] = []
  readonly #glimpses = new Map<number, Glimpse>()
  readonly #asked = new Set<number>()
  #looked = 0
  #portion = FIRST_PORTION
  #isLooking = false
  /** Of whoever wants to know: it may be another one than who began. */
  #signal: AbortSignal | undefined

  constructor(of: HistoryOf) {
    this.of = of
  }

  get isOfState(): boolean {
    return this.of.pointer === '/state'
  }

  /** Numbers of the views with which it changed, its first one among them, ascending. */
  get seqs(): readonly number[] {
    const { timeline, actor } = this.of
    return this.isOfState ? timeline.movesOf(actor) : this.#found
  }

  /** How much of the actor's steps was looked through, from 0 to 1. */
  get share(): number {
    const all = this.of.timeline.viewsOf(this.of.actor).length
    return this.isOfState || all === 0 ? 1 : this.#looked / all
  }

  /** What it was after a view; nothing until that is known. */
  glimpse(seq: number): Glimpse | undefined {
    return seq < 0 ? { text: '' } : this.#glimpses.get(seq)
  }

  /** What it became with a view, as text: of states what moved. Nothing until that is known. */
  after(seq: number): string | undefined {
    return this.isOfState ? this.#moved(seq).to : this.glimpse(seq)?.text
  }

  /** What it was before that; empty where there was nothing. */
  before(seq: number): string | undefined {
    return this.isOfState ? this.#moved(seq).from : this.glimpse(this.of.timeline.previous(seq))?.text
  }

  #moved(seq: number): StateChange {
    const { timeline } = this.of
    const previous = timeline.previous(seq)
    const status = timeline.status(seq)
    const before = previous < 0 ? undefined : timeline.state(previous).value
    const change = stateChange(before, timeline.state(seq).value)
    return status === 'active' ? change : { ...change, to: `${change.to} ${status}`.trim() }
  }

  /** Looks through what is new; `pause` is waited for between portions and tells the time, `onPart` told of each. */
  async look(onPart: () => void, pause: () => Promise<number>, signal: AbortSignal): Promise<void> {
    if (this.isOfState) return
    this.#signal = signal
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      await this.#lookOn(onPart, pause)
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error)
      onPart()
    } finally {
      this.#isLooking = false
    }
  }

  async #lookOn(onPart: () => void, pause: () => Promise<number>): Promise<void> {
    const { timeline, details, actor, pointer } = this.of
    const term = { kind: 'changed', path: pointer.slice('/context'.length) } as const
    const views = timeline.viewsOf(actor)
    let before: number | undefined
    while (this.#looked < views.length && !this.#signal?.aborted) {
      const to = Math.min(views.length, this.#looked + this.#portion)
      const asked = Uint32Array.from(views.slice(this.#looked, to).filter(seq => timeline.changed(seq)))
      const matches = await details.match([{ term, negated: false }], asked, timeline)
      if (this.#signal?.aborted) return
      this.#found.push(...[...asked].filter((_, at) => matches[at] === 1))
      this.#looked = to
      onPart()
      if (to === views.length) return
      const now = await pause()
      if (before !== undefined) this.#fit(now - before)
      before = now
    }
  }

  #fit(elapsed: number): void {
    if (elapsed > SLOW) this.#portion = Math.max(1, this.#portion >> 2)
    else if (elapsed < QUICK) this.#portion = Math.min(MOST_PORTION, this.#portion * 2)
  }

  /** Has what it was after these views fetched; `onPart` is told when it is there. */
  async want(seqs: readonly number[], onPart: () => void): Promise<void> {
    const unknown = seqs.filter(seq => seq >= 0 && !this.#asked.has(seq))
    if (unknown.length === 0) return
    for (const seq of unknown) this.#asked.add(seq)
    try {
      const glimpses = await this.of.details.glimpse(unknown, this.of.pointer)
      for (const [at, seq] of unknown.entries()) this.#glimpses.set(seq, glimpses[at] ?? { text: '' })
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error)
    }
    onPart()
  }
}

/** How many of these ascending numbers are at most `seq`. */
export function countUpTo(seqs: readonly number[], seq: number): number {
  let [from, to] = [0, seqs.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((seqs[middle] ?? 0) <= seq) from = middle + 1
    else to = middle
  }
  return from
}
