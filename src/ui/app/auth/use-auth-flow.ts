// The sign-in page at work: its statechart, what was typed, and the calls that it makes.
import { useEffect, useReducer, useRef, useState } from 'react'
import type { Failure } from '../../../index.ts'
import { useClient } from '../../react.ts'
import { lastAddress } from '../accounts/book-store.ts'
import { checkScreen, NOTHING_TYPED, type Credentials, type Typed, type TypedErrors } from './checks.ts'
import { authFlow, START, type AuthEvent, type AuthFlow, type Task, type Way } from './flow.ts'
import type { HostSettingsView } from './use-host-settings.ts'
import { screenFor, waysOf } from './ways.ts'
import { enterAsGuest, leaveFor, sendAgain, submitScreen, type Sending } from './submit.ts'

export interface AuthForm extends AuthFlow {
  readonly typed: Typed
  readonly errors: TypedErrors
  /** The password that a refusal for its weakness is about. */
  readonly refused: string
  readonly change: (part: Partial<Typed>) => void
  readonly choose: (screen: 'signIn' | 'signUp' | 'forgotten') => void
  readonly chooseWay: (way: Way) => void
  readonly submit: () => void
  readonly submitAs: (credentials: Credentials) => void
  readonly resend: () => void
  /** Mails the confirmation of the address once more. */
  readonly confirmAgain: () => void
  readonly guest: () => void
  readonly leave: (provider: string) => void
}

const isEvent = (outcome: AuthEvent | Failure): outcome is AuthEvent => 'type' in outcome

export const useAuthFlow = ({ settings, look }: HostSettingsView): AuthForm => {
  const client = useClient()
  const [chart, dispatch] = useReducer(authFlow, START)
  const flow = { ...chart, screen: screenFor(chart.screen, waysOf(settings)) }
  const [typed, setTyped] = useState(() => ({ ...NOTHING_TYPED, email: lastAddress(client.url) }))
  const [errors, setErrors] = useState<TypedErrors>({})
  const [refused, setRefused] = useState('')
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])

  const start = async (task: Task, given: Typed, run: (sending: Sending) => Promise<AuthEvent | Failure>) => {
    if (flow.task !== undefined) return
    setErrors({})
    dispatch({ type: 'task.start', task })
    const outcome = await run({ client, typed: given, takesNew: settings?.signUp ?? true, look })
    if (!isHere.current) return
    if (!isEvent(outcome)) {
      if (outcome.code === 'weak_password') setRefused(given.password)
      dispatch({ type: 'task.refused', failure: outcome, at: client.now() })
    } else if (task === 'resending') dispatch({ type: 'code.resent' })
    else dispatch(outcome)
  }
  const send = (given: Typed) => {
    const wrong = checkScreen(flow.screen, given)
    setErrors(wrong)
    if (Object.keys(wrong).length === 0)
      void start('submitting', given, sending => submitScreen(flow.screen, sending))
  }
  const go = (event: AuthEvent) => {
    setErrors({})
    setTyped(before => ({ ...before, code: '' }))
    dispatch(event)
  }
  return {
    ...flow,
    typed,
    errors,
    refused,
    change: part => {
      setTyped(before => ({ ...before, ...part }))
      setErrors({})
      dispatch({ type: 'form.changed' })
    },
    choose: screen => go({ type: 'screen.choose', screen }),
    chooseWay: way => go({ type: 'way.choose', way }),
    submit: () => send(typed),
    submitAs: credentials => {
      const given = { ...typed, ...credentials }
      setTyped(given)
      send(given)
    },
    resend: () => {
      const { screen } = flow
      if (screen.at === 'awaitingCode')
        void start('resending', typed, sending => sendAgain(screen.kind, screen.to, sending))
    },
    confirmAgain: () =>
      void start('submitting', typed, sending => sendAgain('signup', typed.email.trim(), sending)),
    guest: () => void start('guest', typed, enterAsGuest),
    leave: provider => void start('leaving', typed, sending => leaveFor(provider, sending)),
  }
}
