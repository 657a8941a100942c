// Signing in and signing up, shown at any URL while signed out; and what a new session still needs. The page's machine,
// what it shows, and the typed values are in `useSignIn`.
import {
  explainAuthFailure,
  explainSignedOut,
  methodsOf,
  type SignInView,
  checkForm,
  createSignInFields,
  type Credentials,
  type FieldValues,
  provideSignIn,
  sessionFacts,
  type SignInEvent,
  signInView,
  type Typed,
} from '../../../services/workbench/auth/index.ts'
import { useStatus, useClient } from '../../react/index.ts'
import { Button } from '../../widgets/button.tsx'
import { useUsable } from '../app-startup.ts'
import { useTitle } from '../hooks.ts'
import { lazyPart } from '../lazy-part.tsx'
import form from '../shell/form.module.css'
import { Notice } from '../shell/page.tsx'
import { PAGE_ID } from '../shell/skip-links.tsx'
import { useProjectPath, useWorkspace } from '../workspace.tsx'
import { AddressForm, CredentialsForm, CodeForm } from './sign-in-forms.tsx'
import styles from './auth.module.css'
import { MethodPicker, Guest, OtherAccounts, Passkey, Providers } from './others.tsx'
import { useHostSettings, type HostSettingsView } from './use-host-settings.ts'
import { shallowEqual, useActorRef, useSelector } from '@xstate/react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { lastAddress } from '../../../services/workbench/accounts/index.ts'

const SecondFactorPage = lazyPart(
  'the second factor',
  async () => (await import('./second-factor-page.tsx')).SecondFactorPage,
)
const NewPasswordPage = lazyPart(
  'the new-password page',
  async () => (await import('./new-password-form.tsx')).NewPasswordPage,
)

const LATER = { whileLoading: null, giveUp: () => undefined }

const ProjectEntry = lazyPart(
  'the project',
  async () => (await import('../project/project-entry.tsx')).ProjectEntry,
  LATER,
)
const WhySignedOut = lazyPart(
  'the reason',
  async () => (await import('./why-signed-out.tsx')).WhySignedOut,
  LATER,
)

function Reason() {
  const session = useStatus(status => status.session)
  if (session.phase !== 'signedOut') return null
  if (session.linkFailure) return <Notice tone="fail">{explainAuthFailure(session.linkFailure)}</Notice>
  const reason = explainSignedOut(session.reason)
  if (reason === undefined) return null
  if (session.reason === 'userLocal' || session.reason === 'userGlobal') return <Notice>{reason}</Notice>
  return (
    <Notice>
      <span>{reason}</span> <WhySignedOut reason={reason} />
    </Notice>
  )
}

const TITLES: Readonly<Record<SignInView['page'], string>> = {
  password: 'Sign in',
  link: 'Sign in',
  phone: 'Sign in',
  sso: 'Sign in',
  signUp: 'Create an account',
  recovery: 'Reset your password',
  code: 'Enter the code',
  secondFactor: 'Verify your second factor',
  newPassword: 'Choose a new password',
  complete: 'Sign in',
}

const titleOf = ({ page, code }: SignInView): string =>
  page === 'code' && code && code.kind !== 'sms' ? 'Check your email' : TITLES[page]

interface FormsProps {
  readonly flow: SignIn
  readonly host: HostSettingsView
}

function Fields({ flow, host: { settings } }: FormsProps) {
  const { active, embedded } = useWorkspace()
  const isEmbedded = active?.embedded === true
  switch (flow.page) {
    case 'code': {
      const inbox = isEmbedded ? `${active?.url}/_chartroom/inbox` : undefined
      return flow.code && <CodeForm form={flow} code={flow.code} inbox={inbox} />
    }
    case 'link':
    case 'phone':
    case 'sso':
    case 'recovery':
      return <AddressForm key={flow.page} form={flow} kind={flow.page} />
    case 'password':
    case 'signUp':
      return (
        <CredentialsForm
          key={flow.page}
          form={flow}
          takesNew={settings?.signUp ?? true}
          accounts={isEmbedded ? (embedded?.accounts ?? []) : []}
        />
      )
    case 'secondFactor':
    case 'newPassword':
    case 'complete':
      return null
  }
}

function Forms({ flow, host }: FormsProps) {
  const { settings, failure } = host
  const methods = methodsOf(settings)
  const isFirst = TITLES[flow.page] === TITLES.password
  return (
    <>
      {settings === undefined && failure !== undefined ? (
        <Notice>
          {explainAuthFailure(failure)} The sign-in methods of this backend are unknown until it responds.
        </Notice>
      ) : null}
      {isFirst ? <MethodPicker form={flow} methods={methods} /> : null}
      {methods.length === 0 && isFirst ? null : <Fields flow={flow} host={host} />}
      {isFirst && settings?.passkeys === true ? <Passkey form={flow} /> : null}
      {isFirst || flow.page === 'signUp' ? <Providers form={flow} ids={settings?.providers ?? []} /> : null}
      {isFirst && settings?.anonymous === true ? <Guest form={flow} /> : null}
      {isFirst && settings?.signUp === false ? (
        <p className={styles.faint}>This backend does not accept new accounts.</p>
      ) : null}
    </>
  )
}

function SignedOut({ flow, host }: FormsProps) {
  const { active, dispatch } = useWorkspace()
  const project = useProjectPath()
  const [isReplaced, setReplaced] = useState(false)
  const title = titleOf(flow)
  const isFirst = title === TITLES.password
  return (
    <>
      <h1 className={form.title}>{title}</h1>
      <p className={styles.lead}>
        {isFirst ? 'to' : 'at'} <strong>{active?.name}</strong>{' '}
        <span className={styles.url}>{active?.url}</span>
      </p>
      {isFirst && flow.failed === undefined ? <Reason /> : null}
      {project === undefined ? null : (
        <ProjectEntry path={project} flow={flow} isShown={isReplaced} onShown={setReplaced} />
      )}
      {isReplaced ? null : <Forms flow={flow} host={host} />}
      <OtherAccounts />
      <p className={styles.foot}>
        <Button variant="quiet" size="s" onPress={() => dispatch({ type: 'connection.left' })}>
          Connect to another backend
        </Button>
      </p>
    </>
  )
}

export interface AuthPageProps {
  /** The user opens the app without the second factor, or with the old password. */
  readonly onSkip: () => void
}

/** Everything before the app opens. */
export function AuthPage({ onSkip }: AuthPageProps) {
  const host = useHostSettings()
  const flow = useSignIn(host, onSkip)
  useTitle(titleOf(flow))
  useUsable()
  const isSignedIn = flow.page === 'secondFactor' || flow.page === 'newPassword'
  return (
    <div id={PAGE_ID} tabIndex={-1} className={form.entry}>
      <div className={form.card}>
        {flow.page === 'secondFactor' ? <SecondFactorPage form={flow} /> : null}
        {flow.page === 'newPassword' ? (
          <NewPasswordPage onSkip={() => flow.send({ type: 'step.skip' })} />
        ) : null}
        {isSignedIn ? null : <SignedOut flow={flow} host={host} />}
      </div>
    </div>
  )
}

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
