// Searches a trace for changes of an actor's value, in batches, and continues as the trace grows.
import type { Timeline } from '../../../trace/index.ts'
import type { Details, ValuePreview } from '../model/details.ts'
import { changeAt, type StateChange } from '../state-change.ts'
import { useEffect, useMemo, useReducer, useRef } from 'react'
import { useConsole } from '../use-console.ts'

/** Initial and maximum number of views per batch: their values may be large or small. */
const FIRST_BATCH = 64
const MOST_BATCH = 2_000
/** Batch durations in milliseconds above which batches shrink, and below which they grow. */
const SLOW = 34
const QUICK = 20

export interface HistoryOf {
  readonly timeline: Timeline
  readonly details: Details
  readonly actor: number
  /** `/state`, `/context`, or a place below that. */
  readonly pointer: string
}

/** The history of one value. For states it is known immediately. */
export class ChangeHistory {
  readonly of: HistoryOf
  /** Why the search failed. */
  failure: string | undefined
  readonly #found: number[] = []
  readonly #previews = new Map<number, ValuePreview>()
  readonly #asked = new Set<number>()
  #looked = 0
  #batchSize = FIRST_BATCH
  #isLooking = false
  /** The signal of the current consumer, which may differ from the one that started the search. */
  #signal: AbortSignal | undefined

  constructor(of: HistoryOf) {
    this.of = of
  }

  get isOfState(): boolean {
    return this.of.pointer === '/state'
  }

  /** Numbers of the views in which it changed, including its first one, ascending. */
  get seqs(): readonly number[] {
    const { timeline, actor } = this.of
    return this.isOfState ? timeline.movesOf(actor) : this.#found
  }

  /** Searched share of the actor's steps, from 0 to 1. */
  get share(): number {
    const all = this.of.timeline.stepsOf(this.of.actor).length
    return this.isOfState || all === 0 ? 1 : this.#looked / all
  }

  /** Returns the value after a view; undefined until it is known. */
  preview(seq: number): ValuePreview | undefined {
    return seq < 0 ? { text: '' } : this.#previews.get(seq)
  }

  /**
   * Returns the value a view changed it to, as text; for states, the difference. Undefined until it is known.
   */
  after(seq: number): string | undefined {
    return this.isOfState ? this.#moved(seq).to : this.preview(seq)?.text
  }

  /** Returns the value before that; empty if there was none. */
  before(seq: number): string | undefined {
    return this.isOfState ? this.#moved(seq).from : this.preview(this.of.timeline.previous(seq))?.text
  }

  #moved(seq: number): StateChange {
    const { timeline } = this.of
    const status = timeline.status(seq)
    const change = changeAt(timeline, seq)
    return status === 'active' ? change : { ...change, to: `${change.to} ${status}`.trim() }
  }

  /**
   * Searches new views; waits for `pause`, which resolves to the time, between batches; calls `onPart` after
   * each.
   */
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
    const steps = timeline.stepsOf(actor)
    let before: number | undefined
    while (this.#looked < steps.length && !this.#signal?.aborted) {
      const to = Math.min(steps.length, this.#looked + this.#batchSize)
      const asked = Uint32Array.from(steps.slice(this.#looked, to).filter(seq => timeline.changed(seq)))
      const matches = await details.match([{ term, negated: false }], asked, timeline)
      if (this.#signal?.aborted) return
      this.#found.push(...[...asked].filter((_, at) => matches[at] === 1))
      this.#looked = to
      onPart()
      if (to === steps.length) return
      const now = await pause()
      if (before !== undefined) this.#fit(now - before)
      before = now
    }
  }

  #fit(elapsed: number): void {
    if (elapsed > SLOW) this.#batchSize = Math.max(1, this.#batchSize >> 2)
    else if (elapsed < QUICK) this.#batchSize = Math.min(MOST_BATCH, this.#batchSize * 2)
  }

  /** Loads the values after these views; calls `onPart` when they are available. */
  async want(seqs: readonly number[], onPart: () => void): Promise<void> {
    const unknown = seqs.filter(seq => seq >= 0 && !this.#asked.has(seq))
    if (unknown.length === 0) return
    for (const seq of unknown) this.#asked.add(seq)
    try {
      const previews = await this.of.details.preview(unknown, this.of.pointer)
      for (const [at, seq] of unknown.entries()) this.#previews.set(seq, previews[at] ?? { text: '' })
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error)
    }
    onPart()
  }
}

/** `version` changes whenever there is more of it. */
export function useHistory(actor: number, pointer: string) {
  const { timeline, details, size } = useConsole()
  const [version, renew] = useReducer((count: number) => count + 1, 0)
  const history = useMemo(
    () => new ChangeHistory({ timeline, details, actor, pointer }),
    [timeline, details, actor, pointer],
  )
  const wanted = useRef<AbortSignal>(undefined)
  useEffect(() => {
    const controller = new AbortController()
    wanted.current = controller.signal
    return () => controller.abort()
  }, [history])
  useEffect(() => {
    if (wanted.current) void history.look(renew, frame, wanted.current)
  }, [history, size])
  return { history, version, renew }
}

/** Waits for the next frame. */
const frame = (): Promise<number> => new Promise(resolve => requestAnimationFrame(resolve))
