// What is said between the app, the client, the session and the refresh machine.
import type { ChartroomUser, Token } from './expiry.ts'
import type { Failure, SignedOutReason } from './failure.ts'
import type { SignOutScope, StoredChanged } from './ports.ts'

/** Commands of the app; `attempt` is the handle under which credentials are kept and the outcome is told. */
export type SessionCommand =
  | { readonly type: 'session.signIn'; readonly attempt: string; readonly method?: string }
  /** `others` ends the sessions elsewhere and leaves this one. */
  | { readonly type: 'session.signOut'; readonly attempt: string; readonly scope: SignOutScope }
  /** An account call brought another session or user; `recovered`: it set the password that was forgotten. */
  | { readonly type: 'session.commit'; readonly attempt: string; readonly recovered?: boolean }
  /** Ask the server who is signed in. */
  | { readonly type: 'session.verify'; readonly attempt: string }

/** What the refresh machine knows of the token's life, handed on by the client. */
export type TokenNews =
  | { readonly type: 'token.due' }
  | { readonly type: 'token.refreshing' }
  | { readonly type: 'token.delayed'; readonly failure: Failure }
  | { readonly type: 'token.expired'; readonly offline: boolean }
  /** `adopted`: another tab did it. */
  | { readonly type: 'token.rotated'; readonly token: Token; readonly adopted?: true }
  | { readonly type: 'token.refused'; readonly reason: SignedOutReason; readonly failure: Failure }

/** What else the refresh machine tells the client. */
export type RefreshReport =
  /** From now on no token is asked for, or may be again. */
  | { readonly type: 'breaker.opened'; readonly live: boolean }
  | { readonly type: 'breaker.closed' }
  | StoredChanged

/** What the session tells the client. */
export type SessionReport =
  | { readonly type: 'session.started'; readonly token: Token }
  | { readonly type: 'session.ended'; readonly reason: SignedOutReason }
  /** The session goes on with another token; `adopted` when another tab stored it. */
  | { readonly type: 'token.adopted'; readonly token: Token; readonly adopted?: true }
  | {
      readonly type: 'auth.settled'
      readonly attempt: string
      readonly user?: ChartroomUser
      readonly unconfirmed?: boolean
      readonly failure?: Failure
    }
