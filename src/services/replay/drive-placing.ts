// The place of every record in a drive: what fits best, and a note of what fits nowhere.
import type { ReplayableTrace, Stimulus, TapeEntry } from '../../trace/format.ts'
import type { Known } from '../recording/actor-registry.ts'
import { ActorBinding } from './actor-binding.ts'
import { BoundedList } from './drive-report.ts'
import type { OtherDelay, Unplaced, Unrecorded } from './drive-report.ts'
import { DrivenTape } from './driven-tape.ts'
import type { Placing, SetTimer, SetTimers } from './placing.ts'
import { TimerBinding } from './timer-binding.ts'

/** So many of each kind are told. */
const LIMIT = 100

export class DrivePlacing implements Placing {
  readonly isFree = true
  readonly unplaced = new BoundedList<Unplaced>(LIMIT)
  readonly unrecorded = new BoundedList<Unrecorded>(LIMIT)
  readonly delays = new BoundedList<OtherDelay>(LIMIT)
  readonly actors: ActorBinding
  readonly tape: DrivenTape
  /** How many stimuli found their place. */
  placed = 0
  readonly #trace: ReplayableTrace
  readonly #timers: TimerBinding
  /** Keys of recorded timers by the number of their stimulus. */
  readonly #keys: ReadonlyMap<number, TimerKey>
  /** Anchored stimuli that found their place, or were told already. */
  readonly #repeated = new Set<number>()
  #time = 0
  #lost = false

  constructor(trace: ReplayableTrace) {
    this.#trace = trace
    this.actors = new ActorBinding(trace)
    this.tape = new DrivenTape(trace)
    this.#keys = timerKeys(trace)
    this.#timers = new TimerBinding(trace.stimuli, ({ seq }) => textOf(this.#keys.get(seq)))
  }

  /** Whether the last stimulus was lost. */
  get isLost(): boolean {
    return this.#lost
  }

  /** The next stimulus comes. */
  step(seq: number, t: number): void {
    this.#lost = false
    this.actors.now = seq
    this.tape.step(seq, t - this.#time)
    this.#time = t
  }

  /** The step is over. */
  settle(set: readonly SetTimer[]): void {
    this.#timers.look(set, this.#time)
  }

  /** A timer that is due before then, and that nobody recorded. */
  overdue(
    set: readonly SetTimer[],
    until: number,
  ): { readonly timer: SetTimer; readonly t: number } | undefined {
    const timer = this.#timers.overdue(set, until, one => textOf(this.#keyHere(one)))
    return timer && { timer, t: Math.max(this.#time, this.#timers.due(timer)) }
  }

  /** It is fired by the drive itself. */
  fires({ source, event: { type }, delay }: SetTimer, t: number): void {
    this.step(this.actors.now, t)
    this.unrecorded.add({ t: this.#time, actor: source.path, event: type, delay })
  }

  appeared(known: Known, isRestored: boolean, input: () => unknown): void {
    this.actors.appeared(known, isRestored, input)
  }

  found({ seq, anchor }: Stimulus): void {
    this.placed += 1
    if (anchor) this.#repeated.add(seq)
  }

  /** The drive is over: what was to come in the midst of code that never ran has found no place. */
  end(stimuli: readonly Stimulus[]): void {
    for (const one of stimuli) {
      if (one.anchor && !this.#repeated.has(one.seq)) this.lost(one, 'the code that did this never ran')
    }
  }

  pathThen(known: Known): string {
    return this.actors.path(known)
  }

  find(index: number): Known | undefined {
    return this.actors.here(this.actors.recorded.at(index))
  }

  read(kind: TapeEntry['kind']): number | string {
    return this.tape.read(kind)
  }

  timer(stimulus: Stimulus, timers: SetTimers): number | undefined {
    const set = timers.all()
    const key = this.#keys.get(stimulus.seq)
    if (!key) return undefined
    this.#timers.passed(textOf(key))
    const fitting = set.filter(one => textOf(this.#keyHere(one)) === textOf(key))
    const sameState = fitting.length > 0 ? fitting : set.filter(one => this.#isOfSameState(one, key))
    const found =
      sameState.find(({ ordinal, delay }) => ordinal === stimulus.ordinal && delay === stimulus.delay) ??
      this.#timers.nearest(sameState, stimulus.t)
    if (found) this.#compareDelay(stimulus, key, found)
    return found?.ordinal
  }

  lost(stimulus: Stimulus, why: string): void {
    const { seq, t, kind, to, from, event } = stimulus
    const path = (index: number) => this.#trace.actors[index]?.path ?? `actor ${index}`
    const type = this.#keys.get(seq)?.type ?? typeOf(event)
    this.#lost = true
    this.#repeated.add(seq)
    this.unplaced.add({
      seq,
      t,
      kind,
      to: path(to),
      ...(from !== undefined && { from: path(from) }),
      ...(type !== '' && { event: type }),
      why,
    })
  }

  #compareDelay(stimulus: Stimulus, { source, type }: TimerKey, { delay: now, event }: SetTimer): void {
    const then = stimulus.delay
    if (then === undefined ? event.type === type : then === now) return
    this.delays.add({ seq: stimulus.seq, actor: source, event: type, then: then ?? delayOf(type), now })
  }

  #keyHere({ source, event }: SetTimer): TimerKey {
    return { source: this.actors.path(source), type: event.type }
  }

  /** `after` of the same state, with another delay. */
  #isOfSameState(timer: SetTimer, key: TimerKey): boolean {
    const here = this.#keyHere(timer)
    const state = stateOf(key.type)
    return state !== undefined && here.source === key.source && stateOf(here.type) === state
  }
}

interface TimerKey {
  readonly source: string
  readonly type: string
}

function textOf(key: TimerKey | undefined): string {
  return key ? `${key.source} ${key.type}` : ''
}

/** Where a timer was set and for what; traces from before that was noted tell it by the step that it set off. */
function timerKeys(trace: ReplayableTrace): Map<number, TimerKey> {
  const missing = new Map<number, TimerKey>()
  const keys = new Map<number, TimerKey>()
  const path = (index: number | undefined) => (index === undefined ? '' : (trace.actors[index]?.path ?? ''))
  for (const { kind, seq, from, event } of trace.stimuli) {
    if (kind !== 'timer') continue
    const type = typeOf(event)
    const key = { source: path(from), type }
    keys.set(seq, key)
    if (type === '') missing.set(seq, key)
  }
  if (missing.size === 0) return keys
  for (const { cause, actor, from, event } of trace.views) {
    if (missing.delete(cause)) keys.set(cause, { source: path(from ?? actor), type: event.type })
  }
  return keys
}

function typeOf(event: unknown): string {
  return typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : ''
}

/** `xstate.after.<delay>.<state>`: what stands after the delay, as far as that can be told. */
function stateOf(type: string): string | undefined {
  return /^xstate\.after\.[^.]+\.(.+)$/.exec(type)?.[1]
}

/** The delay that is part of the event's name; 0 where it has a name. */
function delayOf(type: string): number {
  return Number(/^xstate\.after\.(\d+)\./.exec(type)?.[1] ?? 0)
}
