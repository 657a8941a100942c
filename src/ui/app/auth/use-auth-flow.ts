// Runs the sign-in page: its state chart, the typed values and the calls.
import { useEffect, useReducer, useRef, useState } from 'react'
import type { Failure } from '../../../services/client/index.ts'
import { useClient } from '../../react/index.ts'
import { lastAddress } from '../../../services/workbench/accounts/index.ts'
import {
  type AuthEvent,
  authFlow,
  type AuthFlow,
  checkScreen,
  type Credentials,
  enterAsGuest,
  enterByPasskey,
  leaveFor,
  NOTHING_TYPED,
  screenFor,
  sendAgain,
  type Sending,
  START,
  submitScreen,
  type Task,
  type Typed,
  type TypedErrors,
  type Way,
  waysOf,
} from '../../../services/workbench/auth/index.ts'
import type { HostSettingsView } from './use-host-settings.ts'

export interface AuthForm extends AuthFlow {
  readonly typed: Typed
  readonly errors: TypedErrors
  /** The password that was rejected as weak. */
  readonly refused: string
  readonly change: (part: Partial<Typed>) => void
  readonly choose: (screen: 'signIn' | 'signUp' | 'forgotten') => void
  readonly chooseWay: (way: Way) => void
  readonly submit: () => void
  readonly submitAs: (credentials: Credentials) => void
  readonly resend: () => void
  /** Resends the email that confirms the address. */
  readonly confirmAgain: () => void
  readonly guest: () => void
  readonly passkey: () => void
  readonly leave: (provider: string) => void
}

const isEvent = (outcome: AuthEvent | Failure): outcome is AuthEvent => 'type' in outcome

type Run = (
  task: Task,
  given: Typed,
  run: (sending: Sending) => Promise<AuthEvent | Failure>,
) => Promise<void>

/** Runs one task at a time and dispatches its outcome. */
const useRun = (
  { task: present }: AuthFlow,
  dispatch: (event: AuthEvent) => void,
  { settings, look }: HostSettingsView,
  onAnswer: (failure: Failure | undefined, given: Typed) => void,
): Run => {
  const client = useClient()
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return async (task, given, run) => {
    if (present !== undefined) return
    dispatch({ type: 'task.start', task })
    const outcome = await run({ client, typed: given, takesNew: settings?.signUp ?? true, look })
    if (!isHere.current) return
    onAnswer(isEvent(outcome) ? undefined : outcome, given)
    if (!isEvent(outcome)) {
      dispatch({ type: 'task.refused', failure: outcome, at: client.now() })
    } else if (task === 'resending') dispatch({ type: 'code.resent' })
    else dispatch(outcome)
  }
}

const useTyped = (): readonly [Typed, (part: Partial<Typed>) => void] => {
  const { url } = useClient()
  const [typed, setTyped] = useState(() => ({ ...NOTHING_TYPED, email: lastAddress(url) }))
  return [typed, part => setTyped(before => ({ ...before, ...part }))]
}

export const useAuthFlow = (host: HostSettingsView): AuthForm => {
  const [chart, dispatch] = useReducer(authFlow, START)
  const flow = { ...chart, screen: screenFor(chart.screen, waysOf(host.settings)) }
  const [typed, type] = useTyped()
  const [errors, setErrors] = useState<TypedErrors>({})
  const [refused, setRefused] = useState('')
  const run = useRun(flow, dispatch, host, (failure, given) => {
    if (failure?.code === 'weak_password') setRefused(given.password)
    // Without a response the captcha token was not used up.
    if (failure?.kind !== 'network') type({ captcha: '' })
  })
  const { screen } = flow
  const send = (given: Typed) => {
    const wrong = checkScreen(screen, given)
    setErrors(wrong)
    if (Object.keys(wrong).length === 0)
      void run('submitting', given, sending => submitScreen(screen, sending))
  }
  const go = (event: AuthEvent) => {
    setErrors({})
    type({ code: '' })
    dispatch(event)
  }
  return {
    ...flow,
    typed,
    errors,
    refused,
    change: part => {
      type(part)
      setErrors({})
      dispatch({ type: 'form.changed' })
    },
    choose: next => go({ type: 'screen.choose', screen: next }),
    chooseWay: way => go({ type: 'way.choose', way }),
    submit: () => send(typed),
    submitAs: credentials => {
      type(credentials)
      send({ ...typed, ...credentials })
    },
    resend: () => {
      if (screen.at === 'awaitingCode')
        void run('resending', typed, sending => sendAgain(screen.kind, screen.to, sending))
    },
    confirmAgain: () =>
      void run('submitting', typed, sending => sendAgain('signup', typed.email.trim(), sending)),
    guest: () => void run('guest', typed, enterAsGuest),
    passkey: () => void run('passkey', typed, enterByPasskey),
    leave: provider => void run('leaving', typed, sending => leaveFor(provider, sending)),
  }
}
