// State chart of setting a password: the running task, the last failure and whether a code is required.
import type { Failure } from '../../client/index.ts'
import { waitUntil } from './wait.ts'

export interface NewPassword {
  readonly task: 'saving' | 'mailing' | undefined
  readonly failure: Failure | undefined
  /** Client time until which the server rejects further attempts. */
  readonly waitUntil: number | undefined
  /** The sign-in is too old: a code sent by email confirms the user. */
  readonly needsCode: boolean
  /** The password that was rejected as weak. */
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

/** Returns the next state, or the same object if the event has no effect. */
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
