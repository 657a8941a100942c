// State chart of the sign-in page: the current screen, the running task and the last failure.
import type { Failure } from '../../client/index.ts'
import { waitUntil } from './wait.ts'

/** Sign-in method. */
export type Way = 'password' | 'link' | 'phone' | 'sso'

/** Purpose of a code, as the auth server names it. */
export type CodeKind = 'email' | 'signup' | 'recovery' | 'sms'

export type Screen =
  | { readonly at: 'signIn'; readonly way: Way }
  | { readonly at: 'signUp' }
  /** Asks for the email address to send the password reset to. */
  | { readonly at: 'forgotten' }
  /** A message was sent; waits for its code. */
  | { readonly at: 'awaitingCode'; readonly kind: CodeKind; readonly to: string }

/** The running task. Only one runs at a time. */
export type Task = 'submitting' | 'resending' | 'guest' | 'passkey' | 'leaving'

export interface AuthFlow {
  readonly screen: Screen
  readonly task: Task | undefined
  readonly failure: Failure | undefined
  /** Client time until which the server rejects further attempts. */
  readonly waitUntil: number | undefined
  /** How often the message was resent; shown to the user. */
  readonly resent: number
  /** True once a captcha was required; its field then stays visible. */
  readonly needsCaptcha: boolean
}

export type AuthEvent =
  | { readonly type: 'way.choose'; readonly way: Way }
  | { readonly type: 'screen.choose'; readonly screen: 'signIn' | 'signUp' | 'forgotten' }
  | { readonly type: 'task.start'; readonly task: Task }
  | { readonly type: 'task.refused'; readonly failure: Failure; readonly at: number }
  /** The session machine takes over. */
  | { readonly type: 'task.done' }
  | { readonly type: 'code.sent'; readonly kind: CodeKind; readonly to: string }
  | { readonly type: 'code.resent' }
  /** The form was edited, so the last failure no longer applies. */
  | { readonly type: 'form.changed' }

export const START: AuthFlow = {
  screen: { at: 'signIn', way: 'password' },
  task: undefined,
  failure: undefined,
  waitUntil: undefined,
  resent: 0,
  needsCaptcha: false,
}

/** Drops a pending wait: each screen has its own rate limit. */
const show = (flow: AuthFlow, screen: Screen): AuthFlow => ({
  ...START,
  needsCaptcha: flow.needsCaptcha,
  screen,
})

/** Failures that stay visible while the form is edited: rate limits and weak passwords. */
const isLasting = ({ failure }: AuthFlow) =>
  failure?.kind === 'rateLimit' || failure?.code === 'weak_password'

/** Whether to show why the user was signed out: on the sign-in screen until an attempt fails. */
export const showsSignOutReason = ({ screen, failure }: Pick<AuthFlow, 'screen' | 'failure'>): boolean =>
  screen.at === 'signIn' && failure === undefined

/** Returns the next state, or the same object if the event has no effect. */
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
