// A step of an actor, from the moment its event is sent to the view that is shown of it: one object all the way.
import type { AnyEventObject } from 'xstate'
import type { StateValue, ViewRecord } from '../../trace/format.ts'
import { typeOf } from '../../trace/odd-event.ts'
import type { Known } from './actor-registry.ts'
import type { Taken } from './taken.ts'

/** What a step ended with, where that is not usual. */
export interface Ending {
  readonly output: unknown
  readonly error: unknown
}

/** A step; values are held by reference, actors by their entries. All have one shape, since there are very many. */
export class Step {
  readonly actor: Known
  /** Absent, until the step has ended, for being stopped, of which nobody is told. */
  event: AnyEventObject | undefined
  readonly from: Known | undefined
  readonly cause: number
  /** The step in the course of which this one's event was sent. */
  readonly by: Step | undefined
  /** Place in the order of sending, in which the steps of a stimulus are shown. */
  readonly order: number
  /** Number of its view; -1 until it is shown. */
  seq = -1
  t = 0
  status: ViewRecord['status'] = 'active'
  value: StateValue | undefined = undefined
  context: unknown = undefined
  ending: Ending | undefined = undefined
  changed = false
  taken: Taken | undefined = undefined
  /** What the same actor was sent after this, while this has not ended. */
  next: Step | undefined = undefined

  constructor(
    actor: Known,
    event: AnyEventObject | undefined,
    from: Known | undefined,
    cause: number,
    by: Step | undefined,
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

/** What an actor is working on and was sent, first to last; it is short. */
export class Pending {
  first: Step | undefined = undefined

  push(step: Step): void {
    let last = this.first
    if (!last) return void (this.first = step)
    while (last.next) last = last.next
    last.next = step
  }

  unshift(step: Step): void {
    step.next = this.first
    this.first = step
  }

  /** Gives up the event whose step has ended, and those before it that were dropped. */
  take(event: AnyEventObject): Step | undefined {
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
