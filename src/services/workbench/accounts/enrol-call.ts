// Enrolls an authenticator app, replacing an unverified factor of the same name from an earlier attempt.
import type { ChartroomClient } from '../../client/index.ts'
import { callAuth } from '../auth/sign-in-ports.ts'

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
