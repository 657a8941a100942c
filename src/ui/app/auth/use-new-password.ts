// Runs the new-password form: its state chart, the typed values and the calls.
import { useReducer, useState } from 'react'
import { useClient } from '../../react/index.ts'
import {
  callAuth,
  checkPassword,
  newPassword,
  type NewPassword,
  NO_PASSWORD,
} from '../../../services/workbench/auth/index.ts'
import { notify } from '../shell/notify.ts'

export interface NewPasswordModel extends NewPassword {
  readonly password: string
  readonly code: string
  /** Validation error of the form. */
  readonly error: string | undefined
  readonly change: (part: { readonly password?: string; readonly code?: string }) => void
  readonly save: () => void
  /** Emails the code that confirms the user. */
  readonly mailCode: () => void
}

/** @param whose shown in the success notice. */
export const useNewPassword = (whose: string): NewPasswordModel => {
  const client = useClient()
  const [state, dispatch] = useReducer(newPassword, NO_PASSWORD)
  const [typed, setTyped] = useState({ password: '', code: '' })
  const [error, setError] = useState<string>()
  const { password } = typed

  const mail = async () => {
    dispatch({ type: 'mail.start' })
    const called = await callAuth(client, auth => auth.reauthenticate())
    if (called.ok) dispatch({ type: 'code.mailed' })
    else dispatch({ type: 'task.refused', failure: called.failure, password, at: client.now() })
  }
  const send = async () => {
    const wrong = checkPassword(password, 'signUp').password
    setError(wrong)
    if (wrong !== undefined) return
    dispatch({ type: 'save.start' })
    const nonce = typed.code.trim()
    const called = await callAuth(client, auth =>
      auth.updateUser({ password, ...(nonce === '' ? {} : { nonce }) }),
    )
    if (called.ok) {
      dispatch({ type: 'password.set' })
      setTyped({ password: '', code: '' })
      notify({ tone: 'ok', title: 'Password changed', detail: whose })
      return
    }
    dispatch({ type: 'task.refused', failure: called.failure, password, at: client.now() })
    if (called.failure.code === 'reauthentication_needed') await mail()
  }
  return {
    ...state,
    ...typed,
    error,
    change: part => {
      setTyped(before => ({ ...before, ...part }))
      setError(undefined)
      dispatch({ type: 'form.changed' })
    },
    save: () => {
      if (state.task === undefined) void send()
    },
    mailCode: () => {
      if (state.task === undefined) void mail()
    },
  }
}
