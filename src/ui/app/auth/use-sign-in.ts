// The sign-in page in React: its machine, what it shows, and the typed values.
import { shallowEqual, useActorRef, useSelector } from '@xstate/react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import {
  checkForm,
  createSignInFields,
  type Credentials,
  type FieldValues,
  methodsOf,
  provideSignIn,
  sessionFacts,
  type SignInEvent,
  signInView,
  type SignInView,
  type Typed,
} from '../../../services/workbench/auth/index.ts'
import { lastAddress } from '../../../services/workbench/accounts/index.ts'
import { useClient } from '../../react/index.ts'
import { useWorkspace } from '../workspace.tsx'
import type { HostSettingsView } from './use-host-settings.ts'

/** What the components of the page need. */
export interface SignIn extends SignInView, FieldValues {
  readonly send: (event: SignInEvent) => void
  /** Sets typed values. */
  readonly change: (part: Partial<Typed>) => void
  /** Submits the present form, if its fields are valid. */
  readonly submit: () => void
  /** Fills in the credentials and submits them. */
  readonly submitAs: (credentials: Credentials) => void
  /** Shows another form. */
  readonly choose: (form: Extract<SignInEvent, { type: 'form.choose' }>['form']) => void
}

/** @param onSkip called when the user opens the app with something left to do. */
export function useSignIn({ settings }: HostSettingsView, onSkip: () => void): SignIn {
  const client = useClient()
  const { active } = useWorkspace()
  const [{ machine, fields }] = useState(() => {
    const fields = createSignInFields(lastAddress(client.url))
    return { fields, machine: provideSignIn(client, active?.key ?? '', fields) }
  })
  const offered = { methods: methodsOf(settings), acceptsNew: settings?.signUp ?? true }
  const actor = useActorRef(machine, { input: { ...offered, session: sessionFacts(client.status()) } })
  const view = useSelector(actor, signInView, isSameView)
  const typed = useSyncExternalStore(fields.subscribe, fields.current)
  useEffect(() => {
    actor.send({
      type: 'methods.changed',
      methods: methodsOf(settings),
      acceptsNew: settings?.signUp ?? true,
    })
  }, [actor, settings])
  const { page } = view
  const skip = useRef(onSkip)
  useEffect(() => {
    skip.current = onSkip
  })
  useEffect(() => {
    if (page === 'complete') skip.current()
  }, [page])
  const submit = () => {
    if (page === 'newPassword' || page === 'complete') return
    const errors = checkForm(page, fields.current().values)
    fields.setErrors(errors)
    if (Object.keys(errors).length > 0) return
    const at = client.now()
    actor.send(
      page === 'secondFactor' ? { type: 'factor.verify', at } : { type: 'form.submit', form: page, at },
    )
  }
  return {
    ...view,
    ...typed,
    send: actor.send,
    change: part => {
      fields.type(part)
      actor.send({ type: 'form.changed' })
    },
    submit,
    submitAs: credentials => {
      fields.type(credentials)
      submit()
    },
    choose: form => {
      fields.type({ code: '' })
      actor.send({ type: 'form.choose', form })
    },
  }
}

/** Views have two levels: what failed is a nested object. */
const isSameView = (a: SignInView, b: SignInView): boolean =>
  a.failed?.failure === b.failed?.failure &&
  shallowEqual({ ...a, failed: a.failed?.state }, { ...b, failed: b.failed?.state })
