// Runs the setup of an authenticator app: its state chart and the calls.
import { useReducer } from 'react'
import { useClient } from '../../../react/index.ts'
import { callAuth, explainAuthFailure } from '../../../../services/workbench/auth/index.ts'
import { notify } from '../../shell/notify.ts'
import { enrolApp, enrolment, type Enrolment } from '../../../../services/workbench/accounts/index.ts'
import { useUser } from '../user/use-user.ts'

export interface EnrolmentView {
  readonly state: Enrolment
  readonly open: () => void
  /** Cancels the setup; an unverified factor is removed again. */
  readonly close: () => void
  readonly enrol: (name: string) => void
  readonly verify: (code: string) => void
}

export const useEnrolment = (): EnrolmentView => {
  const client = useClient()
  const { reload } = useUser()
  const [state, dispatch] = useReducer(enrolment, { at: 'closed' })

  const enrol = async (friendlyName: string) => {
    dispatch({ type: 'enrol.start' })
    const called = await enrolApp(client, friendlyName)
    if (!called.ok) return dispatch({ type: 'task.refused', failure: called.failure, at: client.now() })
    const { id, totp } = called.value
    dispatch({ type: 'enrol.done', factor: { id, name: friendlyName, uri: totp.uri, secret: totp.secret } })
  }
  const verify = async (factorId: string, code: string) => {
    dispatch({ type: 'verify.start' })
    const called = await callAuth(client, auth => auth.mfa.challengeAndVerify({ factorId, code }))
    if (!called.ok) return dispatch({ type: 'task.refused', failure: called.failure, at: client.now() })
    dispatch({ type: 'verify.done' })
    reload()
    notify({
      tone: 'ok',
      title: 'Second factor set up',
      detail: 'This session is verified; others were signed out.',
    })
  }
  const abandon = async (factorId: string) => {
    const called = await callAuth(client, auth => auth.mfa.unenroll({ factorId }))
    if (!called.ok)
      notify({
        tone: 'fail',
        title: 'The unfinished factor is still listed',
        detail: explainAuthFailure(called.failure),
      })
    reload()
  }
  return {
    state,
    open: () => dispatch({ type: 'enrolment.open' }),
    close: () => {
      if (state.at === 'scanning') void abandon(state.factor.id)
      dispatch({ type: 'enrolment.close' })
    },
    enrol: name => void enrol(name),
    verify: code => {
      if (state.at === 'scanning') void verify(state.factor.id, code)
    },
  }
}
