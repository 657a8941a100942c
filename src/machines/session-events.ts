// What is said between the app, the client, the session and the refresh machine.
import type { ChartroomUser, Token } from './expiry.ts'
import type { Failure, SignedOutReason } from './failure.ts'
import type { SignOutScope } from './ports.ts'

/** Commands of the app; `attempt` is the handle under which credentials are kept and the outcome is told. */
export type SessionCommand =
  | { readonly type: 'session.signIn'; readonly attempt: string; readonly method?: string }
  | { readonly type: 'session.signOut'; readonly attempt: string; readonly scope: SignOutScope }

/** What the refresh machine knows of the token's life, handed on by the client. */
export type TokenNews =
  | { readonly type: 'token.due' }
  | { readonly type: 'token.refreshing' }
  | { readonly type: 'token.delayed'; readonly failure: Failure }
  | { readonly type: 'token.expired' }
  | { readonly type: 'token.rotated'; readonly token: Token }
  | { readonly type: 'token.refused'; readonly reason: SignedOutReason; readonly failure: Failure }

/** What the session tells the client. */
export type SessionReport =
  | { readonly type: 'session.started'; readonly token: Token }
  | { readonly type: 'session.ended'; readonly reason: SignedOutReason }
  | {
      readonly type: 'auth.settled'
      readonly attempt: string
      readonly user?: ChartroomUser
      readonly unconfirmed?: boolean
      readonly failure?: Failure
    }
