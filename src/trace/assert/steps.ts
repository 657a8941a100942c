// The view of a trace for assertions: the steps of a system in order, each with its actor's previous state.
import type { ActorEntry, ActorKind, StateValue, StepRecord } from '../format/records.ts'

/** The state of an actor: after a step, before one, or now. */
export interface Subject {
  readonly actor: Followed
  readonly status: StepRecord['status'] | undefined
  readonly value: StateValue | undefined
  readonly context: unknown
}

/** An actor, as known from its steps so far. */
export interface Followed extends Subject {
  readonly path: string
  readonly src: string
  readonly kind: ActorKind
  readonly parent: Followed | undefined
  readonly isActive: boolean
  /** Number of its active children. */
  readonly children: number
  /** Number of the stimulus in which it ended. */
  readonly endedIn: number | undefined
  /** Its state before its latest step. */
  readonly before: Subject
}

/** One step of the trace. */
export interface ObservedStep extends Subject {
  readonly seq: number
  /** Milliseconds since the recording started. */
  readonly t: number
  readonly event: StepRecord['event']
  readonly from: Followed | undefined
  /** Whether this is its actor's first step. */
  readonly isFirst: boolean
  readonly record: StepRecord
  /**
   * Milliseconds that passed while the device was awake: a gap without steps counts as one minute at most.
   */
  readonly awake: number
  /** Number of stimuli so far; the same for all steps caused by one of them. */
  readonly stimulus: number
}

class Seen implements Followed {
  readonly path: string
  readonly src: string
  readonly kind: ActorKind
  readonly parent: Seen | undefined
  status: Subject['status']
  value: StateValue | undefined
  context: unknown
  isActive = false
  children = 0
  endedIn: number | undefined
  #status: Subject['status']
  #value: StateValue | undefined
  #context: unknown

  constructor({ path, src, kind }: ActorEntry, parent: Seen | undefined) {
    this.path = path
    this.src = src
    this.kind = kind
    this.parent = parent
  }

  get actor(): Followed {
    return this
  }

  get before(): Subject {
    return { actor: this, status: this.#status, value: this.#value, context: this.#context }
  }

  take({ status, value, context }: StepRecord): void {
    this.#status = this.status
    this.#value = this.value
    this.#context = this.context
    const isActive = status === 'active'
    if (this.parent && isActive !== this.isActive) this.parent.children += isActive ? 1 : -1
    this.status = status
    this.value = value
    this.context = context
    this.isActive = isActive
  }
}

/** Tracks the actors of one system; each method is O(1). */
export class Follower {
  readonly #actors: Seen[] = []
  #awake = 0
  #last: number | undefined
  #stimulus = 0

  /** Enters the next actor of the table. */
  actor(entry: ActorEntry): Followed {
    const seen = new Seen(entry, entry.parent === undefined ? undefined : this.#actors[entry.parent])
    this.#actors.push(seen)
    return seen
  }

  /** The following steps are caused by another stimulus. */
  next(): void {
    this.#stimulus += 1
  }

  /** Creates the next step of the trace; undefined if its actor is not in the table. */
  step(step: StepRecord): ObservedStep | undefined {
    const { seq, t, event, status, value, context, from } = step
    const actor = this.#actors[step.actor]
    if (!actor) return undefined
    this.#awake += Math.min(Math.max(0, t - (this.#last ?? t)), LONGEST_GAP)
    this.#last = t
    const isFirst = !actor.isActive
    actor.take(step)
    if (status !== 'active') actor.endedIn = this.#stimulus
    const sender = from === undefined ? undefined : this.#actors[from]
    const [awake, stimulus] = [this.#awake, this.#stimulus]
    return {
      seq,
      t,
      actor,
      event,
      status,
      value,
      context,
      isFirst,
      from: sender,
      record: step,
      awake,
      stimulus,
    }
  }
}

const LONGEST_GAP = 60_000
