// What the invariants look at: a system's steps one by one, each with what its actor was before.
import type { ActorEntry, StateValue, ViewRecord } from './format.ts'

export type InvariantName =
  'oneRefresh' | 'liveToken' | 'settlesOnce' | 'endsForAReason' | 'nothingOutlives' | 'comesToCalm'

/** Something that must never happen and did. */
export interface Violation {
  readonly invariant: InvariantName
  /** Number of the step at which it showed; the last one where it is an omission. */
  readonly seq: number
  /** Milliseconds since the recording began. */
  readonly t: number
  /** Path of the actor that it is about. */
  readonly actor: string
  /** In words, free of secrets. */
  readonly why: string
}

export interface InvariantOptions {
  /** Milliseconds from the last fault to authenticated, open and joined. */
  readonly calmWithin: number
  /** Milliseconds by which timers may be late: a token that has expired for less may still be used. */
  readonly timerLag: number
  /** Milliseconds, beyond its own deadline, in which a request settles. */
  readonly settlesWithin: number
}

export const DEFAULT_INVARIANT_OPTIONS: InvariantOptions = {
  // An open breaker (60 s), then the deadlines of a lock, a refresh, a socket and a join, with the longest pauses.
  calmWithin: 180_000,
  // Browsers hold the timers of a page that nobody looks at back for up to a minute.
  timerLag: 60_000,
  // Three attempts of a minute each with their pauses, and as much again for a server that asked for patience.
  settlesWithin: 600_000,
}

/** One actor as its steps have shown it so far. */
export interface Followed {
  readonly path: string
  readonly src: string
  readonly parent: Followed | undefined
  isActive: boolean
  value: StateValue | undefined
  context: unknown
  /** How many of its children are active. */
  children: number
}

export interface Step {
  readonly seq: number
  readonly t: number
  readonly actor: Followed
  readonly event: ViewRecord['event']
  readonly status: ViewRecord['status']
  /** The actor's state before this step; undefined for its first one. */
  readonly before: StateValue | undefined
  readonly isFirst: boolean
  /** Milliseconds that passed for a device that was awake: a gap without any step counts as one minute at most. */
  readonly awake: number
}

/** One invariant at work. */
export interface Rule {
  step(step: Step): void
  /** Everything that one event set off has been shown. */
  between?(): void
}

/** How a rule tells; the rest of the violation is known. */
export type Report = (actor: Followed, why: string) => void

/** Follows the actors of one system; each method is O(1). */
export class Follower {
  readonly #actors: Followed[] = []
  #awake = 0
  #last: number | undefined

  /** Enters the next actor of the table. */
  actor({ path, src, parent }: ActorEntry): void {
    const up = parent === undefined ? undefined : this.#actors[parent]
    const state = { isActive: false, value: undefined, context: undefined, children: 0 }
    this.#actors.push({ path, src, parent: up, ...state })
  }

  /** The next step of the trace, or nothing when its actor is not in the table. */
  step({ seq, t, actor: index, event, status, value, context }: ViewRecord): Step | undefined {
    const actor = this.#actors[index]
    if (!actor) return undefined
    this.#awake += Math.min(Math.max(0, t - (this.#last ?? t)), LONGEST_GAP)
    this.#last = t
    const before = actor.value
    const isFirst = !actor.isActive
    const isActive = status === 'active'
    if (actor.parent) actor.parent.children += Number(isActive) - Number(actor.isActive)
    Object.assign(actor, { isActive, value, context })
    return { seq, t, actor, event, status, before, isFirst, awake: this.#awake }
  }
}

const LONGEST_GAP = 60_000

/** What lies under these keys, one inside the other. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )
}

export function textAt(value: unknown, ...keys: readonly string[]): string | undefined {
  const found = at(value, ...keys)
  return typeof found === 'string' ? found : undefined
}

export function numberAt(value: unknown, ...keys: readonly string[]): number | undefined {
  const found = at(value, ...keys)
  return typeof found === 'number' ? found : undefined
}

/** Whether a state of this name is among the active ones, at any depth. */
export function isIn(value: StateValue | undefined, ...names: readonly string[]): boolean {
  if (value === undefined) return false
  if (typeof value === 'string') return names.includes(value)
  return Object.entries(value).some(([key, inner]) => names.includes(key) || isIn(inner, ...names))
}

/** The active states in words, e.g. `attached connecting`. */
export function stateName(value: StateValue | undefined): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return value
  return Object.entries(value)
    .map(([key, inner]) => `${key} ${stateName(inner)}`.trim())
    .join(' and ')
}
