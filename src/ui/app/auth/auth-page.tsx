// Signing in and signing up, shown at any URL while signed out.
import { useStatus } from '../../react/index.ts'
import { Button } from '../../widgets/button.tsx'
import { useTitle } from '../hooks.ts'
import { Notice } from '../shell/page.tsx'
import { useUsable } from '../app-startup.ts'
import { useWorkspace } from '../workspace.tsx'
import form from '../shell/form.module.css'
import { AddressForm } from './address-form.tsx'
import styles from './auth.module.css'
import { CodeForm } from './code-form.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import {
  explainAuthFailure,
  explainSignedOut,
  type Screen,
  showsSignOutReason,
  waysOf,
} from '../../../services/workbench/auth/index.ts'
import { Guest, OtherAccounts, Passkey, Providers } from './others.tsx'
import { useAuthFlow, type AuthForm } from './use-auth-flow.ts'
import { useHostSettings, type HostSettingsView } from './use-host-settings.ts'
import { WayPicker } from './way-picker.tsx'

function Reason() {
  const session = useStatus(status => status.session)
  if (session.phase !== 'signedOut') return null
  if (session.linkFailure) return <Notice tone="fail">{explainAuthFailure(session.linkFailure)}</Notice>
  const reason = explainSignedOut(session.reason)
  if (reason === undefined) return null
  return <Notice>{reason}</Notice>
}

const TITLES: Readonly<Record<Screen['at'], string>> = {
  signIn: 'Sign in',
  signUp: 'Create an account',
  forgotten: 'Reset your password',
  awaitingCode: 'Check your messages',
}

interface FormsProps {
  readonly flow: AuthForm
  readonly host: HostSettingsView
}

function Fields({ flow, host: { settings } }: FormsProps) {
  const { active, embedded } = useWorkspace()
  const { screen } = flow
  const isEmbedded = active?.embedded === true
  if (screen.at === 'awaitingCode') {
    const inbox = isEmbedded ? `${active?.url}/_chartroom/inbox` : undefined
    return <CodeForm form={flow} screen={screen} inbox={inbox} />
  }
  if (screen.at === 'forgotten') return <AddressForm form={flow} kind="forgotten" />
  if (screen.at === 'signIn' && screen.way !== 'password')
    return <AddressForm key={screen.way} form={flow} kind={screen.way} />
  return (
    <CredentialsForm
      form={flow}
      takesNew={settings?.signUp ?? true}
      accounts={isEmbedded ? (embedded?.accounts ?? []) : []}
    />
  )
}

function Forms({ flow, host }: FormsProps) {
  const { settings, failure } = host
  const { screen } = flow
  const ways = waysOf(settings)
  const isFirst = screen.at === 'signIn'
  return (
    <>
      {settings === undefined && failure !== undefined ? (
        <Notice>
          {explainAuthFailure(failure)} The sign-in methods of this backend are unknown until it responds.
        </Notice>
      ) : null}
      {isFirst ? <WayPicker ways={ways} way={screen.way} onChoose={flow.chooseWay} /> : null}
      {ways.length === 0 && isFirst ? null : <Fields flow={flow} host={host} />}
      {isFirst && settings?.passkeys === true ? <Passkey form={flow} /> : null}
      {isFirst ? <Providers form={flow} ids={settings?.providers ?? []} /> : null}
      {isFirst && settings?.anonymous === true ? <Guest form={flow} /> : null}
      {isFirst && settings?.signUp === false ? (
        <p className={styles.faint}>This backend does not accept new accounts.</p>
      ) : null}
    </>
  )
}

/** The signed-out state of the app. */
export function AuthPage() {
  const { active, dispatch } = useWorkspace()
  const host = useHostSettings()
  const flow = useAuthFlow(host)
  const title = TITLES[flow.screen.at]
  useTitle(title)
  useUsable()
  return (
    <div className={form.entry}>
      <div className={form.card}>
        <h1 className={form.title}>{title}</h1>
        <p className={styles.lead}>
          {flow.screen.at === 'signIn' ? 'to' : 'at'} <strong>{active?.name}</strong>{' '}
          <span className={styles.url}>{active?.url}</span>
        </p>
        {showsSignOutReason(flow) ? <Reason /> : null}
        <Forms flow={flow} host={host} />
        <OtherAccounts />
        <p className={styles.foot}>
          <Button variant="quiet" size="s" onPress={() => dispatch({ type: 'connection.left' })}>
            Connect to another backend
          </Button>
        </p>
      </div>
    </div>
  )
}
