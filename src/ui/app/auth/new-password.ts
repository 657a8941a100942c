// The statechart of setting a password: what is under way, what was refused, whether a code is asked for.
import type { Failure } from '../../../index.ts'
import { waitUntil } from './wait.ts'

export interface NewPassword {
  readonly task: 'saving' | 'mailing' | undefined
  readonly failure: Failure | undefined
  /** Client's time until which the server takes no further attempt. */
  readonly waitUntil: number | undefined
  /** The sign-in is too old: a code that is mailed shows who it is. */
  readonly needsCode: boolean
  /** The password that a refusal for its weakness is about. */
  readonly refused: string
}

export type NewPasswordEvent =
  | { readonly type: 'save.start' }
  | { readonly type: 'mail.start' }
  | {
      readonly type: 'task.refused'
      readonly failure: Failure
      readonly password: string
      readonly at: number
    }
  | { readonly type: 'code.mailed' }
  | { readonly type: 'password.set' }
  | { readonly type: 'form.changed' }

export const NO_PASSWORD: NewPassword = {
  task: undefined,
  failure: undefined,
  waitUntil: undefined,
  needsCode: false,
  refused: '',
}

/** The next state; the very same where an event means nothing. */
export const newPassword = (state: NewPassword, event: NewPasswordEvent): NewPassword => {
  switch (event.type) {
    case 'save.start':
    case 'mail.start': {
      if (state.task !== undefined) return state
      const task = event.type === 'save.start' ? 'saving' : 'mailing'
      return { ...state, task, failure: undefined, waitUntil: undefined }
    }
    case 'task.refused': {
      const { failure, password, at } = event
      return {
        task: undefined,
        failure,
        waitUntil: waitUntil(failure, at),
        needsCode: state.needsCode || failure.code === 'reauthentication_needed',
        refused: failure.code === 'weak_password' ? password : state.refused,
      }
    }
    case 'code.mailed':
      return { ...state, task: undefined, failure: undefined, needsCode: true }
    case 'password.set':
      return NO_PASSWORD
    case 'form.changed': {
      const { failure } = state
      const isLasting = failure?.code === 'weak_password' || failure?.kind === 'rateLimit'
      return failure === undefined || isLasting ? state : { ...state, failure: undefined }
    }
  }
}
