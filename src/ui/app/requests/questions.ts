// The questions behind the buttons “Why?”, and the actors that they are about.
import type { BackendFault } from '../../../services/workbench/hosts/index.ts'
import type { Question } from '../../../trace/index.ts'

/** A question about the recording of the client. */
export interface ClientQuestion {
  readonly question: Question
  /** Path of the actor that the console shows if the recording has no answer. */
  readonly about: string
}

export const WHY_SIGNED_OUT: ClientQuestion = { question: { status: 'signedOut' }, about: 'client/session' }

const CALLS: ClientQuestion = { question: { status: 'callFailing' }, about: 'client/requests' }
const REFRESH: ClientQuestion = { question: { status: 'notRefreshed' }, about: 'client/refresh' }

/** Why the backend, or the way to it, is in trouble. */
export const WHY_TROUBLE: Readonly<Record<BackendFault, ClientQuestion>> = {
  offline: { question: { status: 'offline' }, about: 'client/environment' },
  liveLost: { question: { status: 'liveLost' }, about: 'client/realtime/connection' },
  keyRejected: { question: { status: 'keyRefused' }, about: 'client/apiKey' },
  tokenExpired: REFRESH,
  renewalDelayed: REFRESH,
  unreachable: CALLS,
  maintenance: CALLS,
  failing: CALLS,
}

/** Why an actor is in its state. */
export const whyActor = (path: string): ClientQuestion => ({ question: { actor: path }, about: path })
