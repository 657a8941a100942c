// The session's own calls to the auth server: which port makes which, and how its answer reads.
import { fieldOf, textOf } from './run-words.ts'

/** What a port that makes one call tells of it. */
export interface AuthCall {
  readonly method: string
  /** Path and query, as the port's input has it. */
  readonly path: (input: unknown) => string
  /** Type of the event with which it tells that all went well, and the status that auth servers give then. */
  readonly succeeds: readonly [type: string, status: number]
}

/** By the port's name. Of a sign-in no trace tells by which of the endpoints it went: that names the person or the way. */
export const AUTH_CALLS: Readonly<Record<string, AuthCall>> = {
  refreshToken: {
    method: 'POST',
    path: () => '/auth/v1/token?grant_type=refresh_token',
    succeeds: ['refresh.succeeded', 200],
  },
  authenticate: { method: 'POST', path: () => '/auth/v1/', succeeds: ['auth.succeeded', 200] },
  loadUser: { method: 'GET', path: () => '/auth/v1/user', succeeds: ['user.loaded', 200] },
  revoke: {
    method: 'POST',
    path: input => `/auth/v1/logout?scope=${textOf(fieldOf(input, 'scope')) ?? 'local'}`,
    succeeds: ['revoke.succeeded', 204],
  },
}

/** What any of these ports says last. */
export const AUTH_ANSWERS: readonly string[] = [
  'refresh.succeeded',
  'refresh.failed',
  'auth.succeeded',
  'auth.unconfirmed',
  'auth.failed',
  'user.loaded',
  'user.failed',
  'revoke.succeeded',
  'revoke.failed',
]
