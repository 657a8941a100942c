// The actors of other apps: who is who by connection and session id, and which of their events are under way.
import type { ForeignEvent, ForeignSnapshot, ActorMessage } from './message.ts'

/** In the place of an event where an actor is first known by its announcement alone. */
export const ANNOUNCED = '@xstate.actor'

/** An actor from its creation, or its start after an end, to its end. */
export interface Life {
  readonly session: string
  readonly name: string
  readonly parent: Life | undefined
  /** The one at the top; absent for that itself. */
  readonly root: Life | undefined
  readonly depth: number
  readonly announced: ActorMessage | undefined
  /** Its place in the trace's table, once it stands there. */
  index: number | undefined
  /** Sent to it and not yet taken, in the order of sending; the first is the one that it works on. */
  readonly open: Step[]
  /** What it was last known to be in. */
  last: ForeignSnapshot
  /** Whether anything came but its announcement. */
  isHeard: boolean
  ended: boolean
}

/** An event on its way through an actor. */
export interface Step {
  readonly life: Life
  readonly event: ForeignEvent
  readonly from: Life | undefined
  /** The step in whose midst it was sent. */
  readonly by: Step | undefined
  readonly at: number
  readonly size: number
  /** What the actor was in afterwards; absent when it never said so. */
  snapshot?: ForeignSnapshot
  /** Whether those that it caused need not wait for it any more. */
  passed: boolean
  /** Its number among all that were ever written; absent where it was not. */
  written?: number
  /** Steps that wait for this one. */
  readonly waiting: Step[]
  /** How often it was looked at while it was open. */
  age: number
}

/** Deeper ones stand beside their parent: a path is as long as its actor lies deep. */
const MAX_NESTING = 64

/** A life that begins. */
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

/** The life at the top. */
export const rootOf = (life: Life): Life => life.root ?? life

/** That an actor exists and what it is in, where nothing else tells. */
export function announcement(life: Life, at: number): Step {
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
