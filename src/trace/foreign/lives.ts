// The actors of other apps, identified by connection and session id, and their events in progress.
import type { ForeignEvent, ForeignSnapshot, ActorMessage } from './message.ts'

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
