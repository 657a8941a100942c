// The ports of the form for a new password.
import {
  newPasswordMachine,
  type RequestCodeEvent,
  type SavePasswordEvent,
} from '../../../machines/workbench/new-password.ts'
import type { ChartroomClient } from '../../client/index.ts'
import { effect } from '../../runtime/index.ts'
import { callAuth } from './sign-in-ports.ts'
import type { SignInFields } from './sign-in-fields.ts'

/**
 * The machine of the form with its effects.
 *
 * @param fields the typed password and code; cleared once the password is set
 */
export function provideNewPassword(client: ChartroomClient, fields: SignInFields) {
  const save = async (): Promise<SavePasswordEvent> => {
    const { password, code } = fields.current().values
    const nonce = code.trim()
    const called = await callAuth(client, auth =>
      auth.updateUser({ password, ...(nonce === '' ? {} : { nonce }) }),
    )
    if (called.ok) {
      fields.type({ password: '', code: '' })
      return { type: 'password.saved' }
    }
    if (called.failure.code === 'weak_password') fields.refuse()
    return { type: 'password.refused', failure: called.failure, at: client.now() }
  }
  const request = async (): Promise<RequestCodeEvent> => {
    const called = await callAuth(client, auth => auth.reauthenticate())
    if (called.ok) return { type: 'code.requested' }
    return { type: 'password.refused', failure: called.failure, at: client.now() }
  }
  return newPasswordMachine.provide({ actors: { savePassword: effect(save), requestCode: effect(request) } })
}
