// The lives of another app's actors, and their steps in causal order: the protocol reports a step after the
// steps that it caused.
import type { ActorMessage, EventMessage, ForeignEvent, ForeignSnapshot, SnapshotMessage } from './message.ts'

/** Replaces the event if only an actor's announcement is known. */
export const ANNOUNCED = '@xstate.actor'

/** An actor from its creation (or its restart after an end) to its end. */
export interface Life {
  readonly session: string
  readonly name: string
  readonly parent: Life | undefined
  /** The root; absent for the root itself. */
  readonly root: Life | undefined
  readonly depth: number
  readonly announced: ActorMessage | undefined
  /** Its position in the trace's table, once entered. */
  index: number | undefined
  /** Events sent to it but not processed yet, in order; the first one is being processed. */
  readonly open: ForeignStep[]
  /** Its last known snapshot. */
  last: ForeignSnapshot
  /** Whether anything other than its announcement arrived. */
  isHeard: boolean
  ended: boolean
}

/** An event in progress at an actor. */
export interface ForeignStep {
  readonly life: Life
  readonly event: ForeignEvent
  readonly from: Life | undefined
  /** The step during which it was sent. */
  readonly by: ForeignStep | undefined
  readonly at: number
  readonly size: number
  /** The actor's snapshot afterwards; absent if it never arrived. */
  snapshot?: ForeignSnapshot
  /** Whether the steps that it caused no longer need to wait for it. */
  passed: boolean
  /** Its number among all steps ever written; absent if it was not written. */
  written?: number
  /** Steps that wait for this one. */
  readonly waiting: ForeignStep[]
  /** Number of times it was checked while open. */
  age: number
}

/** Deeper actors are named next to their parent, since a path is as long as its actor's depth. */
const MAX_NESTING = 64

/** Starts a life. */
export function newLife(
  session: string,
  parent: Life | undefined,
  announced: ActorMessage | undefined,
): Life {
  const above = parent && parent.depth >= MAX_NESTING ? parent.parent : parent
  return {
    session,
    name: announced?.name ?? session,
    parent: above,
    root: above && rootOf(above),
    depth: above ? above.depth + 1 : 0,
    announced,
    index: undefined,
    open: [],
    last: announced?.snapshot ?? { status: 'active' },
    isHeard: false,
    ended: false,
  }
}

/** The root life. */
export const rootOf = (life: Life): Life => life.root ?? life

/** A step that records an actor's existence and snapshot when no other message does. */
export function announcement(life: Life, at: number): ForeignStep {
  const snapshot = life.last
  const size = life.announced?.size ?? 0
  const event = { type: ANNOUNCED }
  return {
    life,
    event,
    from: undefined,
    by: undefined,
    at,
    size,
    snapshot,
    passed: true,
    waiting: [],
    age: 0,
  }
}

/** Maximum number of events in progress; beyond that, the oldest are abandoned. */
const MAX_OPEN = 5_000
/** Number of checks after which an unprocessed event is abandoned. */
const PATIENCE = 2

/** Creates a sequencer; `write` receives each step when it is complete and its cause was written. */
export class Sequencer {
  readonly #write: (step: ForeignStep) => void
  readonly #open = new Set<ForeignStep>()

  constructor(write: (step: ForeignStep) => void) {
    this.#write = write
  }

  /** An event was sent to an actor. */
  sent(life: Life, from: Life | undefined, { event, size }: EventMessage, at: number): void {
    const step = this.#begin(life, { event, size }, from, from?.open[0], at)
    // The actor has ended and cannot process it.
    if (life.ended) return this.#finish(step)
    life.open.push(step)
    this.#open.add(step)
    if (this.#open.size > MAX_OPEN) this.#giveUpOldest()
  }

  /** An actor has processed an event. */
  taken(life: Life, { event, size, snapshot }: SnapshotMessage, at: number): void {
    const place = life.open.findIndex(step => step.event.type === event.type || event.type === '')
    const step = life.open[place] ?? this.#unannounced(life, { event, size }, at)
    // An actor processes events in order, so earlier ones were dropped.
    const passed = life.open.slice(0, Math.max(0, place))
    life.open.splice(0, place + 1)
    step.snapshot = snapshot
    if (snapshot.status !== 'active') {
      life.ended = true
      passed.push(...life.open.splice(0))
    }
    for (const one of passed) this.#finish(one)
    this.#finish(step)
  }

  /** A parent that stops an actor sends it no event. */
  #unannounced(life: Life, taken: Pick<EventMessage, 'event' | 'size'>, at: number): ForeignStep {
    const by = life.parent?.open[0]
    return this.#begin(life, taken, by && life.parent, by, at)
  }

  /** Abandons what has been open for a while; call it periodically. */
  settle(): void {
    for (const step of this.#open) {
      step.age += 1
      if (step.age >= PATIENCE) this.#giveUp(step)
    }
  }

  /** Abandons everything that is open. */
  close(): void {
    for (const step of this.#open) this.#giveUp(step)
  }

  #begin(
    life: Life,
    { event, size }: Pick<EventMessage, 'event' | 'size'>,
    from: Life | undefined,
    by: ForeignStep | undefined,
    at: number,
  ): ForeignStep {
    return { life, event, size, from, by, at, passed: false, waiting: [], age: 0 }
  }

  #giveUpOldest(): void {
    const [oldest] = this.#open
    if (oldest) this.#giveUp(oldest)
  }

  #giveUp(step: ForeignStep): void {
    const place = step.life.open.indexOf(step)
    if (place !== -1) step.life.open.splice(place, 1)
    this.#finish(step)
  }

  #finish(step: ForeignStep): void {
    this.#open.delete(step)
    if (step.by && !step.by.passed) step.by.waiting.push(step)
    else this.#writeAll(step)
  }

  /** Iterative, since a chain may be long. */
  #writeAll(first: ForeignStep): void {
    const stack = [first]
    for (let step = stack.pop(); step; step = stack.pop()) {
      step.passed = true
      this.#write(step)
      stack.push(...step.waiting.splice(0).reverse())
    }
  }
}
