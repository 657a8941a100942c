// Requests of the sign-in screens and the events that follow from their responses.
import type { ChartroomClient, Failure, HostSettingsResult } from '../../client/index.ts'
import { callAuth, type Called } from './call.ts'
import { cleanDomain, cleanPhone, type Typed } from './checks.ts'
import type { AuthEvent, CodeKind, Screen } from './flow.ts'

type Client = Pick<ChartroomClient, 'supabase' | 'status' | 'auth'>
type Auth = ChartroomClient['supabase']['auth']
export type OAuthProvider = Parameters<Auth['signInWithOAuth']>[0]['provider']

/** Return URL for email links and providers: this page without its hash, which may hold secrets. */
export const here = (): string => location.origin + location.pathname + location.search

export interface Sending {
  readonly client: Client
  readonly typed: Typed
  /** Email links and codes for unknown addresses create an account. */
  readonly takesNew: boolean
  /** Checks that the backend responds before the page is left for it. */
  readonly look: () => Promise<HostSettingsResult>
}

const taken: Failure = {
  kind: 'conflict',
  code: 'user_already_exists',
  message: 'An account with this email already exists. Sign in instead.',
}

const captchaOf = ({ captcha }: Typed) => (captcha.trim() === '' ? {} : { captchaToken: captcha.trim() })

/** Maps the value of a successful call; returns the failure of a failed one. */
const then = <T>(called: Called<T>, next: (value: T) => AuthEvent | Failure): AuthEvent | Failure =>
  called.ok ? next(called.value) : called.failure

const done = (): AuthEvent => ({ type: 'task.done' })
const sent = (kind: CodeKind, to: string) => (): AuthEvent => ({ type: 'code.sent', kind, to })

const signInByPassword = async ({ client, typed }: Sending) => {
  const credentials = { email: typed.email.trim(), password: typed.password }
  const called =
    typed.captcha.trim() === ''
      ? await client.auth.signInWithPassword(credentials)
      : await callAuth(client, auth => auth.signInWithPassword({ ...credentials, options: captchaOf(typed) }))
  return called.ok ? done() : called.failure
}

const signUp = async ({ client, typed }: Sending) => {
  const email = typed.email.trim()
  const options = { emailRedirectTo: here(), ...captchaOf(typed) }
  const called = await callAuth(client, auth => auth.signUp({ email, password: typed.password, options }))
  return then(called, ({ user, session }) => {
    if (session) return done()
    // Backends that confirm addresses respond as for a new user; missing identities reveal existing ones.
    return user?.identities?.length === 0 ? taken : sent('signup', email)()
  })
}

const sendLink = async ({ client, typed, takesNew }: Sending, email: string) => {
  const options = { emailRedirectTo: here(), shouldCreateUser: takesNew, ...captchaOf(typed) }
  return then(await callAuth(client, auth => auth.signInWithOtp({ email, options })), sent('email', email))
}

const sendText = async ({ client, typed, takesNew }: Sending, phone: string) => {
  const options = { shouldCreateUser: takesNew, ...captchaOf(typed) }
  return then(await callAuth(client, auth => auth.signInWithOtp({ phone, options })), sent('sms', phone))
}

const sendRecovery = async ({ client, typed }: Sending, email: string) => {
  const options = { redirectTo: here(), ...captchaOf(typed) }
  const called = await callAuth(client, auth => auth.resetPasswordForEmail(email, options))
  return then(called, sent('recovery', email))
}

const enterBySso = async ({ client, typed }: Sending) => {
  const options = { redirectTo: here(), ...captchaOf(typed) }
  const domain = cleanDomain(typed.domain)
  return then(await callAuth(client, auth => auth.signInWithSSO({ domain, options })), done)
}

const verify = async ({ client, typed }: Sending, kind: CodeKind, to: string) => {
  const token = typed.code.trim()
  const called = await callAuth(client, auth =>
    kind === 'sms'
      ? auth.verifyOtp({ phone: to, token, type: 'sms' })
      : auth.verifyOtp({ email: to, token, type: kind }),
  )
  if (!called.ok && called.failure.code === 'otp_expired') return { ...called.failure, message: WRONG_CODE }
  return then(called, done)
}

const WRONG_CODE = 'This code is wrong, has expired or was already used. Check it, or request a new one.'

/** Submits a screen. Returns the next event, or the failure. */
export const submitScreen = async (screen: Screen, sending: Sending): Promise<AuthEvent | Failure> => {
  const email = sending.typed.email.trim()
  switch (screen.at) {
    case 'signUp':
      return signUp(sending)
    case 'forgotten':
      return sendRecovery(sending, email)
    case 'awaitingCode':
      return verify(sending, screen.kind, screen.to)
    case 'signIn':
      switch (screen.way) {
        case 'password':
          return signInByPassword(sending)
        case 'link':
          return sendLink(sending, email)
        case 'phone':
          return sendText(sending, cleanPhone(sending.typed.phone))
        case 'sso':
          return enterBySso(sending)
      }
  }
}

/** Resends the message with the code; for an unconfirmed user, the confirmation. */
export const sendAgain = async (
  kind: CodeKind,
  to: string,
  sending: Sending,
): Promise<AuthEvent | Failure> => {
  switch (kind) {
    case 'email':
      return sendLink(sending, to)
    case 'sms':
      return sendText(sending, to)
    case 'recovery':
      return sendRecovery(sending, to)
    case 'signup': {
      const options = { emailRedirectTo: here(), ...captchaOf(sending.typed) }
      const called = await callAuth(sending.client, auth =>
        auth.resend({ type: 'signup', email: to, options }),
      )
      return then(called, sent('signup', to))
    }
  }
}

export const enterAsGuest = async ({ client, typed }: Sending): Promise<AuthEvent | Failure> =>
  then(await callAuth(client, auth => auth.signInAnonymously({ options: captchaOf(typed) })), done)

/** The browser prompts for the passkey. */
export const enterByPasskey = async ({ client, typed }: Sending): Promise<AuthEvent | Failure> =>
  then(await callAuth(client, auth => auth.signInWithPasskey({ options: captchaOf(typed) })), done)

/** Leaves the page for a provider, which redirects back to it. */
export const leaveFor = async (provider: string, { client, look }: Sending): Promise<AuthEvent | Failure> => {
  const there = await look()
  if (!there.ok) return there.failure
  const options = { redirectTo: here() }
  const called = await callAuth(client, auth =>
    auth.signInWithOAuth({ provider: provider as OAuthProvider, options }),
  )
  return then(called, done)
}
