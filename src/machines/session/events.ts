// Events between the app, the client, the session and the refresh machine.
import type { ChartroomUser, Token } from './expiry.ts'
import type { Failure, SignedOutReason } from '../failure.ts'
import type { SignOutScope, StoredChanged } from '../ports.ts'

/** Commands of the app; `attempt` is the handle for the stored credentials and the reported outcome. */
export type SessionCommand =
  | { readonly type: 'session.signIn'; readonly attempt: string; readonly method?: string }
  /** `others` ends the user's other sessions and keeps this one. */
  | { readonly type: 'session.signOut'; readonly attempt: string; readonly scope: SignOutScope }
  /** An account call returned another session or user; `recovered`: it set the forgotten password. */
  | { readonly type: 'session.commit'; readonly attempt: string; readonly recovered?: boolean }
  /** Loads the signed-in user from the server. */
  | { readonly type: 'session.verify'; readonly attempt: string }

/** Token events from the refresh machine, forwarded by the client. */
export type TokenEvent =
  | { readonly type: 'token.due' }
  | { readonly type: 'token.refreshing' }
  | { readonly type: 'token.delayed'; readonly failure: Failure }
  | { readonly type: 'token.expired'; readonly offline: boolean }
  /** `adopted`: another tab rotated it. */
  | { readonly type: 'token.rotated'; readonly token: Token; readonly adopted?: true }
  | { readonly type: 'token.refused'; readonly reason: SignedOutReason; readonly failure: Failure }

/** Other events from the refresh machine to the client. */
export type RefreshReport =
  /** Refresh requests are blocked from now on, or allowed again. */
  | { readonly type: 'breaker.opened'; readonly live: boolean }
  | { readonly type: 'breaker.closed' }
  | StoredChanged

/** Events from the session to the client. */
export type SessionReport =
  | { readonly type: 'session.started'; readonly token: Token }
  | { readonly type: 'session.ended'; readonly reason: SignedOutReason }
  /** The session continues with another token; `adopted` when another tab stored it. */
  | { readonly type: 'token.adopted'; readonly token: Token; readonly adopted?: true }
  | {
      readonly type: 'auth.settled'
      readonly attempt: string
      readonly user?: ChartroomUser
      readonly unconfirmed?: boolean
      readonly failure?: Failure
    }
