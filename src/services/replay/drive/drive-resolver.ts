// Places every record in a drive: finds the best match and reports records without one.
import type { Snapshot } from 'xstate'
import { LOST, type ReplayableTrace, type Stimulus } from '../../../trace/index.ts'
import type { ActorRecord } from '../../recording/index.ts'
import { ActorBinding } from './actor-binding.ts'
import { BoundedList, type OtherDelay, type Unplaced, type Unrecorded } from './drive-report.ts'
import type { RecordResolver, SetTimer, SetTimers } from '../run/record-resolver.ts'

/** Maximum number of reported items of each kind. */
const LIMIT = 100

export class DriveResolver implements RecordResolver {
  readonly isFree = true
  readonly unplaced = new BoundedList<Unplaced>(LIMIT)
  readonly unrecorded = new BoundedList<Unrecorded>(LIMIT)
  readonly delays = new BoundedList<OtherDelay>(LIMIT)
  readonly actors: ActorBinding
  readonly tape: DrivenTape
  /** Number of stimuli that were placed. */
  placed = 0
  readonly #trace: ReplayableTrace
  readonly #timers: TimerBinding
  /** Keys of recorded timers by stimulus number. */
  readonly #keys: ReadonlyMap<number, TimerKey>
  /** Anchored stimuli that were placed or already reported. */
  readonly #repeated = new Set<number>()
  /** Stimuli that caused a step of their receiver. */
  readonly #effective: ReadonlySet<number>
  #time = 0
  #lost = false

  constructor(trace: ReplayableTrace) {
    this.#trace = trace
    this.actors = new ActorBinding(trace)
    this.tape = new DrivenTape(trace)
    this.#keys = timerKeys(trace)
    this.#effective = new Set(trace.steps.map(({ cause, actor }) => effectKey(cause, actor)))
    this.#timers = new TimerBinding(trace.stimuli, ({ seq }) => textOf(this.#keys.get(seq)))
  }

  /** Whether the last stimulus could not be placed. */
  get isLost(): boolean {
    return this.#lost
  }

  get readings(): number {
    return this.tape.count
  }

  /** Begins the next stimulus. */
  step(seq: number, t: number): void {
    this.#lost = false
    this.actors.now = seq
    this.tape.step(seq, t - this.#time)
    this.#time = t
  }

  /** Ends the step. */
  settle(set: readonly SetTimer[]): void {
    this.#timers.look(set, this.#time)
  }

  /** Returns a timer that is due earlier and whose firing was not recorded. */
  overdue(
    set: readonly SetTimer[],
    until: number,
  ): { readonly timer: SetTimer; readonly t: number } | undefined {
    const timer = this.#timers.overdue(set, until, one => textOf(this.#keyHere(one)))
    return timer && { timer, t: Math.max(this.#time, this.#timers.due(timer)) }
  }

  /** Reports a timer that the drive fires. */
  fires({ source, event: { type }, delay }: SetTimer, t: number): void {
    this.step(this.actors.now, t)
    this.unrecorded.add({ t: this.#time, actor: source.path, event: type, delay })
  }

  appeared(known: ActorRecord, isRestored: boolean, input: () => unknown): void {
    this.actors.appeared(known, isRestored, input)
  }

  found({ seq, anchor }: Stimulus): void {
    this.placed += 1
    if (anchor) this.#repeated.add(seq)
  }

  /** Ends the drive. Stimuli anchored in code that never ran could not be placed. */
  end(stimuli: readonly Stimulus[]): void {
    for (const one of stimuli) {
      if (one.anchor && !this.#repeated.has(one.seq)) this.lost(one, 'the code that sent this never ran')
    }
  }

  pathThen(known: ActorRecord): string {
    return this.actors.path(known)
  }

  find(index: number): ActorRecord | undefined {
    return this.actors.here(this.actors.recorded.at(index))
  }

  refuses(
    { seq, to: index, event }: Stimulus,
    to: ActorRecord,
    from: ActorRecord | undefined,
  ): string | undefined {
    if (typeOf(event) === LOST) return 'it is missing from the damaged file'
    if (!this.#effective.has(effectKey(seq, index))) return undefined
    if (from?.leaf && statusOf(from) === 'stopped') return `${from.path} was already stopped`
    return statusOf(to) === 'active' ? undefined : `${to.path} had already ended`
  }

  read(kind: string, real?: () => unknown): unknown {
    return this.tape.read(kind, real)
  }

  timer(stimulus: Stimulus, timers: SetTimers): number | undefined {
    const set = timers.all()
    const key = this.#keys.get(stimulus.seq)
    if (!key) return undefined
    this.#timers.passed(textOf(key))
    const likely = set.filter(one => textOf(this.#keyHere(one)) === textOf(key))
    const same = likely.filter(({ event }) => event.type === key.type)
    const fitting = same.length > 0 ? same : likely
    const found =
      fitting.find(
        ({ ordinal, delay }) => ordinal === stimulus.ordinal && Object.is(delay, stimulus.delay),
      ) ?? this.#timers.nearest(fitting, stimulus.t)
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

  #compareDelay(stimulus: Stimulus, { source, type }: TimerKey, { delay: is, event }: SetTimer): void {
    const then = stimulus.delay
    if (then === undefined ? event.type === type : Object.is(then, is)) return
    this.delays.add({ seq: stimulus.seq, actor: source, event: type, was: then ?? delayOf(type), is })
  }

  #keyHere({ source, event }: SetTimer): TimerKey {
    return { source: this.actors.path(source), type: event.type }
  }
}

/** Combines a stimulus and an actor into one number. */
function effectKey(seq: number, actor: number): number {
  return seq * 2 ** 22 + actor
}

function statusOf({ ref }: ActorRecord): string | undefined {
  return (ref?.getSnapshot() as Snapshot<unknown> | undefined)?.status
}

/** Identity of a timer. */
interface TimerKey {
  readonly source: string
  readonly type: string
}

/** Lookup key: a state has one timer, whatever its delay. */
function textOf(key: TimerKey | undefined): string {
  if (!key) return ''
  const state = stateOf(key.type)
  return `${key.source} ${state === undefined ? key.type : `after ${state}`}`
}

/**
 * Returns the key of each timer. Older traces lack the event, so it is taken from the step that the timer
 * caused.
 */
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
  for (const { cause, actor, from, event } of trace.steps) {
    if (missing.delete(cause)) keys.set(cause, { source: path(from ?? actor), type: event.type })
  }
  return keys
}

/** Returns the type of a recorded event. */
function typeOf(event: unknown): string {
  return typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : ''
}

/** Returns the state in `xstate.after.<delay>.<state>`, if there is one. */
function stateOf(type: string): string | undefined {
  return /^xstate\.after\.[^.]+\.(.+)$/.exec(type)?.[1]
}

/** Returns the delay in the event's name; 0 for a named delay. */
function delayOf(type: string): number {
  return Number(/^xstate\.after\.(\d+)\./.exec(type)?.[1] ?? 0)
}

/** Kinds of readings that are times in milliseconds. */
const TIMES: ReadonlySet<string> = new Set(['now', 'Date.now()', 'performance.now()'])

/** Tape readings of one drive. */
class DrivenTape {
  /** Number of readings that were not recorded. */
  missing = 0
  /** Number of all readings. */
  count = 0
  readonly #entries = new Map<string, unknown[]>()
  readonly #ordered: boolean
  #step = -1
  /** The times that were read last, by kind, and moved by what has passed since. */
  readonly #times = new Map<string, number>()
  #passed = 0
  #invented = 0

  constructor({ tape, stimuli }: ReplayableTrace) {
    this.#ordered = tape.every(({ at }) => at === undefined)
    const stepOf = stepNumbers(stimuli)
    for (const { kind, value, at } of tape) {
      const key = this.#key(kind, at === undefined ? -1 : (stepOf[at] ?? at))
      const values = this.#entries.get(key)
      if (values) values.push(value)
      else this.#entries.set(key, [value])
    }
  }

  /** Begins a step; `elapsed` is the time since the previous one. */
  step(seq: number, elapsed: number): void {
    this.#step = seq
    this.#passed += elapsed
  }

  /** Returns the next reading of this step. */
  read(kind: string, real?: () => unknown): unknown {
    this.count += 1
    const value = this.#entries.get(this.#key(kind, this.#step))?.shift()
    if (value === undefined) return this.#invent(kind, real)
    if (typeof value === 'number' && TIMES.has(kind)) this.#times.set(kind, value - this.#passed)
    return value
  }

  #key(kind: string, step: number): string {
    return this.#ordered ? kind : `${kind} ${step}`
  }

  /** Returns a value of the right kind that is the same in every drive. */
  #invent(kind: string, real: (() => unknown) | undefined): unknown {
    this.missing += 1
    if (TIMES.has(kind)) return (this.#times.get(kind) ?? 0) + this.#passed
    this.#invented += 1
    if (kind === 'id') return `new-${this.#invented}`
    if (kind === 'random' || kind === 'Math.random()') return (this.#invented * 0.618_033_988_749_894_9) % 1
    if (kind === 'crypto.randomUUID()')
      return `00000000-0000-4000-8000-${this.#invented.toString(16).padStart(12, '0')}`
    if (kind === 'crypto.getRandomValues()') return new Uint8Array(0)
    return real?.()
  }
}

/** Maps each stimulus to the number of its step; anchored stimuli belong to the previous one. */
function stepNumbers(stimuli: readonly Stimulus[]): readonly number[] {
  let step = -1
  return stimuli.map(({ anchor }, seq) => (anchor ? step : (step = seq)))
}

/** How late a timer of a busy page may fire, in milliseconds. */
const LATE = 1_000

/** Finds the timers for recorded ones, and timers that were not recorded. */
class TimerBinding {
  readonly #setAt = new Map<number, number>()
  /** Times of pending recorded timers, by source and type. */
  readonly #coming = new Map<string, number[]>()

  constructor(stimuli: readonly Stimulus[], keyOf: (stimulus: Stimulus) => string) {
    for (const stimulus of stimuli) {
      if (stimulus.kind !== 'timer') continue
      const key = keyOf(stimulus)
      const times = this.#coming.get(key)
      if (times) times.push(stimulus.t)
      else this.#coming.set(key, [stimulus.t])
    }
  }

  /** Registers timers that were set in the step that just ended. */
  look(timers: readonly SetTimer[], t: number): void {
    for (const { ordinal } of timers) if (!this.#setAt.has(ordinal)) this.#setAt.set(ordinal, t)
  }

  /** Returns when a timer is due; immediately if its start was not seen. */
  due({ ordinal, delay }: SetTimer): number {
    const at = this.#setAt.get(ordinal)
    return at === undefined ? Number.NEGATIVE_INFINITY : at + delay
  }

  /** Removes a recorded timer that was handled. */
  passed(key: string): void {
    this.#coming.get(key)?.shift()
  }

  /** Returns the timer whose due time is closest to the recorded time. */
  nearest(timers: readonly SetTimer[], t: number): SetTimer | undefined {
    let best: SetTimer | undefined
    for (const timer of timers) {
      if (!best || Math.abs(this.due(timer) - t) < Math.abs(this.due(best) - t)) best = timer
    }
    return best
  }

  /** Returns the first timer that is due before `until` and whose firing was not recorded. */
  overdue(
    timers: readonly SetTimer[],
    until: number,
    keyOf: (timer: SetTimer) => string,
  ): SetTimer | undefined {
    let first: SetTimer | undefined
    for (const timer of timers) {
      const due = this.due(timer)
      if (due >= until || (first && this.due(first) <= due)) continue
      const coming = this.#coming.get(keyOf(timer))?.[0]
      // After a device sleep, all overdue timers fire late.
      if (coming === undefined || coming > Math.max(due, until) + LATE) first = timer
    }
    return first
  }
}
