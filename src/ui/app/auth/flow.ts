// The statechart of the sign-in page: which screen is shown, what is under way, and what was refused.
import type { Failure } from '../../../index.ts'
import { waitUntil } from './wait.ts'

/** How somebody signs in. */
export type Way = 'password' | 'link' | 'phone' | 'sso'

/** What a code is for, in the words of the auth server. */
export type CodeKind = 'email' | 'signup' | 'recovery' | 'sms'

export type Screen =
  | { readonly at: 'signIn'; readonly way: Way }
  | { readonly at: 'signUp' }
  /** Asks where the link for a new password goes. */
  | { readonly at: 'forgotten' }
  /** Something was sent to an address; the code in it is awaited. */
  | { readonly at: 'awaitingCode'; readonly kind: CodeKind; readonly to: string }

/** What is under way; nothing else begins before it is settled. */
export type Task = 'submitting' | 'resending' | 'guest' | 'passkey' | 'leaving'

export interface AuthFlow {
  readonly screen: Screen
  readonly task: Task | undefined
  readonly failure: Failure | undefined
  /** Client's time until which the server takes no further attempt. */
  readonly waitUntil: number | undefined
  /** How often something was sent again, so that the page can say so. */
  readonly resent: number
  /** A captcha was asked for once; from then on its field is there. */
  readonly needsCaptcha: boolean
}

export type AuthEvent =
  | { readonly type: 'way.choose'; readonly way: Way }
  | { readonly type: 'screen.choose'; readonly screen: 'signIn' | 'signUp' | 'forgotten' }
  | { readonly type: 'task.start'; readonly task: Task }
  | { readonly type: 'task.refused'; readonly failure: Failure; readonly at: number }
  /** The session machine has the say from here on. */
  | { readonly type: 'task.done' }
  | { readonly type: 'code.sent'; readonly kind: CodeKind; readonly to: string }
  | { readonly type: 'code.resent' }
  /** What was said about the form no longer fits what is in it. */
  | { readonly type: 'form.changed' }

export const START: AuthFlow = {
  screen: { at: 'signIn', way: 'password' },
  task: undefined,
  failure: undefined,
  waitUntil: undefined,
  resent: 0,
  needsCaptcha: false,
}

/** A wait stays behind: what one screen sends has another limit than what the next one does. */
const show = (flow: AuthFlow, screen: Screen): AuthFlow => ({
  ...START,
  needsCaptcha: flow.needsCaptcha,
  screen,
})

/** What lasts while the form is edited: a wait does, and what a weak password lacks. */
const isLasting = ({ failure }: AuthFlow) =>
  failure?.kind === 'rateLimit' || failure?.code === 'weak_password'

/** Why there is no session is told to who comes to sign in, until there is something else to be said. */
export const tellsWhySignedOut = ({ screen, failure }: Pick<AuthFlow, 'screen' | 'failure'>): boolean =>
  screen.at === 'signIn' && failure === undefined

/** The next state; the very same where an event means nothing. */
export const authFlow = (flow: AuthFlow, event: AuthEvent): AuthFlow => {
  switch (event.type) {
    case 'way.choose':
      return flow.task === undefined ? show(flow, { at: 'signIn', way: event.way }) : flow
    case 'screen.choose': {
      if (flow.task !== undefined) return flow
      const { screen } = event
      return show(flow, screen === 'signIn' ? START.screen : { at: screen })
    }
    case 'task.start':
      return flow.task === undefined
        ? { ...flow, task: event.task, failure: undefined, waitUntil: undefined }
        : flow
    case 'task.refused': {
      const { failure, at } = event
      return {
        ...flow,
        task: undefined,
        failure,
        waitUntil: waitUntil(failure, at),
        needsCaptcha: flow.needsCaptcha || failure.code === 'captcha_failed',
      }
    }
    case 'task.done':
      return { ...flow, task: undefined }
    case 'code.sent':
      return show(flow, { at: 'awaitingCode', kind: event.kind, to: event.to })
    case 'code.resent':
      return { ...flow, task: undefined, failure: undefined, resent: flow.resent + 1 }
    case 'form.changed':
      return flow.failure === undefined || isLasting(flow) ? flow : { ...flow, failure: undefined }
  }
}
