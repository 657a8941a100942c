// State chart of setting up an authenticator app: naming, enrolling, scanning, verifying the first code.
import type { Failure } from '../../client/index.ts'
import { waitUntil } from '../auth/explain.ts'

/** A factor that waits for its first code. */
export interface NewFactor {
  readonly id: string
  readonly name: string
  /** Content of the QR code. */
  readonly uri: string
  /** For manual entry. */
  readonly secret: string
}

export interface Refused {
  readonly failure: Failure
  /** Client time until which the server rejects further attempts. */
  readonly waitUntil: number | undefined
}

export type Enrolment =
  | { readonly at: 'closed' }
  | { readonly at: 'naming'; readonly refused?: Refused }
  | { readonly at: 'enrolling' }
  | { readonly at: 'scanning'; readonly factor: NewFactor; readonly refused?: Refused }
  | { readonly at: 'verifying'; readonly factor: NewFactor }

export type EnrolmentEvent =
  | { readonly type: 'enrolment.open' }
  | { readonly type: 'enrolment.close' }
  | { readonly type: 'enrol.start' }
  | { readonly type: 'enrol.done'; readonly factor: NewFactor }
  | { readonly type: 'verify.start' }
  | { readonly type: 'verify.done' }
  | { readonly type: 'task.refused'; readonly failure: Failure; readonly at: number }

/** Returns the next state, or the same object if the event has no effect. */
export const enrolment = (state: Enrolment, event: EnrolmentEvent): Enrolment => {
  switch (event.type) {
    case 'enrolment.open':
      return state.at === 'closed' ? { at: 'naming' } : state
    case 'enrolment.close':
      return { at: 'closed' }
    case 'enrol.start':
      return state.at === 'naming' ? { at: 'enrolling' } : state
    case 'enrol.done':
      return state.at === 'enrolling' ? { at: 'scanning', factor: event.factor } : state
    case 'verify.start':
      return state.at === 'scanning' ? { at: 'verifying', factor: state.factor } : state
    case 'verify.done':
      return state.at === 'verifying' ? { at: 'closed' } : state
    case 'task.refused': {
      const { failure, at } = event
      const refused = { failure, waitUntil: waitUntil(failure, at) }
      if (state.at === 'enrolling') return { at: 'naming', refused }
      return state.at === 'verifying' ? { at: 'scanning', factor: state.factor, refused } : state
    }
  }
}
