// The ports of the sign-in page: what it sends to the auth server, and the events that follow. Calls of the official
// auth methods end in a value or in a failure that can be shown.
import { type EventObject, fromCallback, type NonReducibleUnknown } from 'xstate'
import {
  type AttemptEvent,
  type FactorsEvent,
  type SentCode,
  type SessionChanged,
  type SessionFacts,
  type SettledEvent,
  type SignInForm,
  signInMachine,
} from '../../../machines/workbench/sign-in.ts'
import {
  type ChartroomClient,
  type ClientStatus,
  type Failure,
  readHostSettings,
  describeFailure,
  loadSupabase,
} from '../../client/index.ts'
import { effect } from '../../runtime/index.ts'
import { cleanDomain, cleanPhone, type SignInFields } from './sign-in-fields.ts'
import { factorName, verifiedFactors, passkeyFailure } from './methods.ts'

type Auth = ChartroomClient['supabase']['auth']
export type OAuthProvider = Parameters<Auth['signInWithOAuth']>[0]['provider']

/** Return URL for email links and providers: this page without its hash, which may hold secrets. */
export const here = (): string => location.origin + location.pathname + location.search

/** What the page needs to know about the session. */
export const sessionFacts = ({ session }: ClientStatus): SessionFacts =>
  session.phase === 'authenticated'
    ? {
        isAuthenticated: true,
        needsFactor: session.assurance.next !== session.aal,
        isRecovering: session.recovery === 'active',
      }
    : { isAuthenticated: false, needsFactor: false, isRecovering: false }

const USER_EXISTS: Failure = {
  kind: 'conflict',
  code: 'user_already_exists',
  message: 'An account with this email already exists. Sign in instead.',
}

const WRONG_CODE = 'This code is wrong, has expired or was already used. Check it, or request a new one.'

const SUCCEEDED: SettledEvent = { type: 'attempt.succeeded' }

/**
 * The machine of the sign-in page with its effects.
 *
 * @param key the backend's API key
 * @param fields what the user typed; read when something is sent
 */
export function provideSignIn(client: ChartroomClient, key: string, fields: SignInFields) {
  const refused = (failure: Failure): SettledEvent => {
    // Without a response the captcha token was not used up.
    if (failure.kind !== 'network') fields.type({ captcha: '' })
    if (failure.code === 'weak_password') fields.refuse()
    return { type: 'attempt.failed', failure, at: client.now() }
  }
  /** Converts the answer of a call to the event that follows from it. */
  const attempt = <T, E>(called: Called<T>, next: (value: T) => E): E | SettledEvent => {
    if (!called.ok) return refused(called.failure)
    fields.type({ captcha: '' })
    return next(called.value)
  }
  const send = async <A extends Answer, E>(
    call: (auth: Auth) => Promise<A>,
    next: (value: NonNullable<A['data']>) => E,
  ) => attempt(await callAuth(client, call), next)
  const succeeded = () => SUCCEEDED
  const sent = (kind: SentCode['kind'], to: string) => (): AttemptEvent => ({
    type: 'code.sent',
    code: { kind, to },
  })
  const typedFields = () => {
    const { email, captcha, ...rest } = fields.current().values
    return {
      ...rest,
      email: email.trim(),
      captcha: captcha.trim() === '' ? {} : { captchaToken: captcha.trim() },
    }
  }

  const signInWithPassword = () => {
    const { email, password, captcha } = typedFields()
    return send(auth => auth.signInWithPassword({ email, password, options: captcha }), succeeded)
  }
  const signUp = () => {
    const { email, password, captcha } = typedFields()
    const options = { emailRedirectTo: here(), ...captcha }
    return send(
      auth => auth.signUp({ email, password, options }),
      ({ user, session }): AttemptEvent => {
        if (session) return SUCCEEDED
        // Backends that confirm addresses respond as for a new user; missing identities reveal existing ones.
        return user?.identities?.length === 0 ? refused(USER_EXISTS) : sent('signup', email)()
      },
    )
  }
  const sendLink = (email: string, acceptsNew: boolean) => {
    const options = { emailRedirectTo: here(), shouldCreateUser: acceptsNew, ...typedFields().captcha }
    return send(auth => auth.signInWithOtp({ email, options }), sent('email', email))
  }
  const sendText = (phone: string, acceptsNew: boolean) => {
    const options = { shouldCreateUser: acceptsNew, ...typedFields().captcha }
    return send(auth => auth.signInWithOtp({ phone, options }), sent('sms', phone))
  }
  const sendRecovery = (email: string) => {
    const options = { redirectTo: here(), ...typedFields().captcha }
    return send(auth => auth.resetPasswordForEmail(email, options), sent('recovery', email))
  }
  const sendConfirmation = (email: string) => {
    const options = { emailRedirectTo: here(), ...typedFields().captcha }
    return send(auth => auth.resend({ type: 'signup', email, options }), sent('signup', email))
  }
  const signInWithSso = () => {
    const options = { redirectTo: here(), ...typedFields().captcha }
    const domain = cleanDomain(typedFields().domain)
    return send(auth => auth.signInWithSSO({ domain, options }), succeeded)
  }
  const verifyCode = async ({ kind, to }: SentCode) => {
    const token = typedFields().code.trim()
    const called = await callAuth(client, auth =>
      kind === 'sms'
        ? auth.verifyOtp({ phone: to, token, type: 'sms' })
        : auth.verifyOtp({ email: to, token, type: kind }),
    )
    if (!called.ok && called.failure.code === 'otp_expired')
      return refused({ ...called.failure, message: WRONG_CODE })
    return attempt(called, succeeded)
  }

  const submit = (
    form: SignInForm,
    code: SentCode | undefined,
    acceptsNew: boolean,
  ): Promise<AttemptEvent> => {
    const { email, phone } = typedFields()
    switch (form) {
      case 'password':
        return signInWithPassword()
      case 'link':
        return sendLink(email, acceptsNew)
      case 'phone':
        return sendText(cleanPhone(phone), acceptsNew)
      case 'sso':
        return signInWithSso()
      case 'signUp':
        return signUp()
      case 'recovery':
        return sendRecovery(email)
      case 'code':
        return code === undefined ? Promise.resolve(SUCCEEDED) : verifyCode(code)
    }
  }
  const resend = (code: SentCode | undefined, acceptsNew: boolean): Promise<AttemptEvent> => {
    const { kind, to } = code ?? { kind: 'signup', to: typedFields().email }
    switch (kind) {
      case 'email':
        return sendLink(to, acceptsNew)
      case 'sms':
        return sendText(to, acceptsNew)
      case 'recovery':
        return sendRecovery(to)
      case 'signup':
        return sendConfirmation(to)
    }
  }
  const openProvider = async (provider: string) => {
    // Checks that the backend responds before the page is left for it.
    const settings = await readHostSettings({ url: client.url, key })
    if (!settings.ok) return refused(settings.failure)
    const options = { redirectTo: here() }
    return send(auth => auth.signInWithOAuth({ provider: provider as OAuthProvider, options }), succeeded)
  }
  const loadFactors = async (): Promise<FactorsEvent> => {
    const called = await callAuth(client, auth => auth.getUser())
    if (!called.ok) return { type: 'factors.failed', failure: called.failure }
    const factors = verifiedFactors(called.value.user?.factors)
    return { type: 'factors.loaded', factors: factors.map(each => ({ id: each.id, name: factorName(each) })) }
  }
  const verifyFactor = (factorId: string) => {
    const code = typedFields().code.replaceAll(/\s/g, '')
    return send(auth => auth.mfa.challengeAndVerify({ factorId, code }), succeeded)
  }

  return signInMachine.provide({
    actors: {
      watchSession: fromCallback<EventObject, NonReducibleUnknown, SessionChanged>(({ sendBack }) => {
        const report = (status: ClientStatus) =>
          sendBack({ type: 'session.changed', session: sessionFacts(status) })
        report(client.status())
        return client.onStatus(report)
      }),
      submitForm: effect(({ form, code, acceptsNew }) => submit(form, code, acceptsNew)),
      resendCode: effect(({ code, acceptsNew }) => resend(code, acceptsNew)),
      signInAsGuest: effect(() =>
        send(auth => auth.signInAnonymously({ options: typedFields().captcha }), succeeded),
      ),
      signInWithPasskey: effect(() =>
        send(auth => auth.signInWithPasskey({ options: typedFields().captcha }), succeeded),
      ),
      openProvider: effect(({ provider }) => openProvider(provider)),
      loadFactors: effect(loadFactors),
      verifyFactor: effect(({ factor }) => verifyFactor(factor)),
    },
  })
}

export type Called<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

interface Answer {
  readonly data: unknown
  readonly error: unknown
}

/** Never throws. */
export const callAuth = async <A extends Answer>(
  client: Pick<ChartroomClient, 'supabase' | 'status' | 'auth'>,
  call: (auth: Auth) => Promise<A>,
): Promise<Called<NonNullable<A['data']>>> => {
  const isLoaded = await loadSupabase().then(
    () => true,
    () => false,
  )
  if (!isLoaded) return { ok: false, failure: MISSING }
  try {
    const { data, error } = await call(client.supabase.auth)
    if (error === null || error === undefined) return { ok: true, value: data as NonNullable<A['data']> }
    return { ok: false, failure: await explain(client, error) }
  } catch (error) {
    return { ok: false, failure: await explain(client, error) }
  }
}

const MISSING: Failure = {
  kind: 'network',
  code: 'part_not_loaded',
  message: 'A part of this app could not be loaded.',
}

const SESSION_GONE: Failure = {
  kind: 'auth',
  code: 'session_not_found',
  message: 'The backend no longer knows this session.',
}

/** An error that reports a missing session does not end it: a refresh does, with the server's reason. */
const explain = async (
  client: Pick<ChartroomClient, 'status' | 'auth'>,
  error: unknown,
): Promise<Failure> => {
  const isGone = error instanceof Error && error.name === 'AuthSessionMissingError'
  if (!isGone || client.status().session.phase !== 'authenticated')
    return passkeyFailure(error) ?? describeFailure(error)
  void client.auth.refresh()
  return SESSION_GONE
}
