// A step of an actor: one object from the time its event is sent until its step is shown.
import type { AnyEventObject } from 'xstate'
import { type StateValue, type StepOutput, type StepRecord, typeOf } from '../../trace/index.ts'
import type { ActorRecord } from './actor-record.ts'
import type { TransitionsTaken } from './transitions-taken.ts'

/** Output or error of a step, if any. */
export interface Ending {
  readonly output: unknown
  readonly error: unknown
}

/**
 * A step. Values are references, actors are registry entries. All steps have the same shape for performance.
 */
export class LiveStep {
  readonly actor: ActorRecord
  /** Undefined for a stop until the step has ended, because XState reports no event for it. */
  event: AnyEventObject | undefined
  readonly from: ActorRecord | undefined
  readonly cause: number
  /** The step during which this step's event was sent. */
  readonly by: LiveStep | undefined
  /** Position in send order, in which the steps of a stimulus are shown. */
  readonly order: number
  /** Number of the step; -1 until it is shown. */
  seq = -1
  t = 0
  status: StepRecord['status'] = 'active'
  value: StateValue | undefined = undefined
  context: unknown = undefined
  ending: Ending | undefined = undefined
  changed = false
  taken: TransitionsTaken | undefined = undefined
  outputs: readonly StepOutput[] | undefined = undefined
  /** The actor's next queued step. */
  next: LiveStep | undefined = undefined

  constructor(
    actor: ActorRecord,
    event: AnyEventObject | undefined,
    from: ActorRecord | undefined,
    cause: number,
    by: LiveStep | undefined,
    order: number,
  ) {
    this.actor = actor
    this.event = event
    this.from = from
    this.cause = cause
    this.by = by
    this.order = order
  }
}

/** The actor's queue: its current step and the events it was sent. It is short. */
export class Pending {
  first: LiveStep | undefined = undefined

  push(step: LiveStep): void {
    let last = this.first
    if (!last) return void (this.first = step)
    while (last.next) last = last.next
    last.next = step
  }

  unshift(step: LiveStep): void {
    step.next = this.first
    this.first = step
  }

  /** Removes and returns the event whose step has ended, together with dropped events before it. */
  take(event: AnyEventObject): LiveStep | undefined {
    const isStop = typeOf(event) === 'xstate.stop'
    for (let step = this.first; step; step = step.next) {
      if (step.event !== event && (step.event || !isStop)) continue
      this.first = step.next
      step.next = undefined
      return step
    }
    return undefined
  }
}
