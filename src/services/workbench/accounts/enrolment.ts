// Sign-in factors: the state chart of setting up an authenticator app, and passkeys.
import type { Failure, ChartroomClient } from '../../client/index.ts'
import { waitUntil } from '../auth/explain.ts'
import { callAuth } from '../auth/sign-in-ports.ts'
import { fallback, object, optional, string, type InferOutput } from 'valibot'
import { readList } from '../storage/safe-record.ts'

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

const NAME_TAKEN = 'mfa_factor_name_conflict'

/** A lost response or a closed page leaves an unverified factor whose key is lost. */
export const enrolApp = async (
  client: Pick<ChartroomClient, 'supabase' | 'status' | 'auth'>,
  friendlyName: string,
) => {
  const enrol = () => callAuth(client, auth => auth.mfa.enroll({ factorType: 'totp', friendlyName }))
  const called = await enrol()
  if (called.ok || called.failure.code !== NAME_TAKEN) return called
  const listed = await callAuth(client, auth => auth.mfa.listFactors())
  const left = listed.ok
    ? listed.value.all.find(each => each.friendly_name === friendlyName && each.status === 'unverified')
    : undefined
  if (left === undefined) return called
  const removed = await callAuth(client, auth => auth.mfa.unenroll({ factorId: left.id }))
  return removed.ok ? enrol() : called
}

const text = fallback(optional(string()), undefined)
const passkey = object({ id: string(), friendly_name: text, created_at: text, last_used_at: text })

export type Passkey = InferOutput<typeof passkey>

/** Drops entries that do not match the schema. */
export const readPasskeys = (answer: unknown): readonly Passkey[] => readList(passkey, answer) ?? []

/** Not every authenticator provides a name. */
export const passkeyName = ({ friendly_name: name = '' }: Passkey): string =>
  name.trim() === '' ? 'Passkey' : name
