// Signing in and signing up, shown at any URL while signed out; and what a new session still needs.
import {
  explainAuthFailure,
  explainSignedOut,
  methodsOf,
  type SignInView,
} from '../../../services/workbench/auth/index.ts'
import { useStatus } from '../../react/index.ts'
import { Button } from '../../widgets/button.tsx'
import { useUsable } from '../app-startup.ts'
import { useTitle } from '../hooks.ts'
import { lazyPart } from '../lazy-part.tsx'
import form from '../shell/form.module.css'
import { Notice } from '../shell/page.tsx'
import { PAGE_ID } from '../shell/skip-links.tsx'
import { useWorkspace } from '../workspace.tsx'
import { AddressForm, CredentialsForm } from './sign-in-forms.tsx'
import styles from './auth.module.css'
import { CodeForm } from './code-form.tsx'
import { MethodPicker, Guest, OtherAccounts, Passkey, Providers } from './others.tsx'
import { useHostSettings, type HostSettingsView } from './use-host-settings.ts'
import { type SignIn, useSignIn } from './use-sign-in.ts'

const SecondFactorPage = lazyPart(
  'the second factor',
  async () => (await import('./second-factor-page.tsx')).SecondFactorPage,
)
const NewPasswordPage = lazyPart(
  'the new-password page',
  async () => (await import('./new-password-form.tsx')).NewPasswordPage,
)

function Reason() {
  const session = useStatus(status => status.session)
  if (session.phase !== 'signedOut') return null
  if (session.linkFailure) return <Notice tone="fail">{explainAuthFailure(session.linkFailure)}</Notice>
  const reason = explainSignedOut(session.reason)
  if (reason === undefined) return null
  return <Notice>{reason}</Notice>
}

const TITLES: Readonly<Record<SignInView['page'], string>> = {
  password: 'Sign in',
  link: 'Sign in',
  phone: 'Sign in',
  sso: 'Sign in',
  signUp: 'Create an account',
  recovery: 'Reset your password',
  code: 'Check your messages',
  secondFactor: 'Verify your second factor',
  newPassword: 'Choose a new password',
  complete: 'Sign in',
}

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
      {isFirst ? <Providers form={flow} ids={settings?.providers ?? []} /> : null}
      {isFirst && settings?.anonymous === true ? <Guest form={flow} /> : null}
      {isFirst && settings?.signUp === false ? (
        <p className={styles.faint}>This backend does not accept new accounts.</p>
      ) : null}
    </>
  )
}

function SignedOut({ flow, host }: FormsProps) {
  const { active, dispatch } = useWorkspace()
  const title = TITLES[flow.page]
  const isFirst = title === TITLES.password
  return (
    <>
      <h1 className={form.title}>{title}</h1>
      <p className={styles.lead}>
        {isFirst ? 'to' : 'at'} <strong>{active?.name}</strong>{' '}
        <span className={styles.url}>{active?.url}</span>
      </p>
      {isFirst && flow.failed === undefined ? <Reason /> : null}
      <Forms flow={flow} host={host} />
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
  useTitle(TITLES[flow.page])
  useUsable()
  const isSignedIn = flow.page === 'secondFactor' || flow.page === 'newPassword'
  return (
    <div {...(isSignedIn && { id: PAGE_ID, tabIndex: -1 })} className={form.entry}>
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
