// The session's own calls to the auth server: the ports that make them, and how their responses read.
import { fieldOf, textOf } from './run-text.ts'

/** What a port reveals of its call. */
export interface AuthCall {
  readonly method: string
  /** Path and query, from the port's input. */
  readonly path: (input: unknown) => string
  /** Type of the success event, and the status of auth servers for it. */
  readonly succeeds: readonly [type: string, status: number]
}

/**
 * By port name. A trace does not show which endpoint a sign-in used, since that could identify the user or
 * the method.
 */
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

/** The final events of these ports. */
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
