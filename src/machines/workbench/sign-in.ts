// The sign-in page: the form that is shown, its running attempt, why the last one failed, and what a new
// session still needs before the app opens.
import { assign, not, setup, stateIn } from 'xstate'
import { withEvent } from '../with-event.ts'
import type { Failure } from '../failure.ts'
import { port } from '../port.ts'
import type { PortBroken } from '../ports.ts'

/** A sign-in method with a form; the backend may not offer it. */
export type SignInMethod = 'password' | 'link' | 'phone' | 'sso'

/** Purpose of a code, as the auth server names it. */
export type CodeKind = 'email' | 'signup' | 'recovery' | 'sms'

/** A message with a code was sent to this address or number. */
export interface SentCode {
  readonly kind: CodeKind
  readonly to: string
}

/** The form that is shown; `recovery` asks for the address to send the password reset to. */
export type SignInForm = SignInMethod | 'signUp' | 'recovery' | 'code'

/** What the page needs to know about the session. */
export interface SessionFacts {
  readonly isAuthenticated: boolean
  /** The user has a second factor that this session has not verified. */
  readonly needsFactor: boolean
  /** The session exists to set a new password. */
  readonly isRecovering: boolean
}

/** A verified second factor. */
export interface FactorChoice {
  readonly id: string
  readonly name: string
}

export interface SignInInput {
  /** In display order; empty if the backend has none of them. */
  readonly methods: readonly SignInMethod[]
  /** Links and codes for unknown addresses create an account. */
  readonly acceptsNew: boolean
  readonly session: SessionFacts
}

export interface SignInContext extends SignInInput {
  /** The form that was submitted last. */
  readonly form: SignInForm
  /** The OAuth provider that was opened last. */
  readonly provider: string
  readonly code: SentCode | undefined
  /** How often the message was sent again. */
  readonly resent: number
  readonly failure: Failure | undefined
  /** Client time of the failure. */
  readonly failedAt: number
  /** A captcha was required once; its field then stays visible. */
  readonly needsCaptcha: boolean
  readonly factors: readonly FactorChoice[]
  /** Id of the factor to verify. */
  readonly factor: string
}

/** What was typed stays outside: no event carries a password, code or captcha token. `at` is client time. */
export type SignInEvent =
  /** `signIn`: the first method of the backend. */
  | { readonly type: 'form.choose'; readonly form: SignInMethod | 'signIn' | 'signUp' | 'recovery' }
  /** A field was edited, so the last failure may no longer apply. */
  | { readonly type: 'form.changed' }
  | { readonly type: 'form.submit'; readonly form: SignInForm; readonly at: number }
  | { readonly type: 'code.resend'; readonly at: number }
  /** Sends the email that confirms the typed address again. */
  | { readonly type: 'confirmation.resend'; readonly at: number }
  | { readonly type: 'guest.signIn' }
  | { readonly type: 'passkey.signIn' }
  /** Leaves the page for an OAuth provider. */
  | { readonly type: 'provider.open'; readonly provider: string }
  | { readonly type: 'factor.choose'; readonly factor: string }
  | { readonly type: 'factor.verify'; readonly at: number }
  /** Loads the factors again. */
  | { readonly type: 'factor.retry' }
  /** Opens the app without the second factor, or with the old password. */
  | { readonly type: 'step.skip' }
  | OfferedEvent

/** What the backend offers. */
type OfferedEvent = {
  readonly type: 'methods.changed'
  readonly methods: readonly SignInMethod[]
  readonly acceptsNew: boolean
}
export type SessionChanged = { readonly type: 'session.changed'; readonly session: SessionFacts }
type Failed = { readonly type: 'attempt.failed'; readonly failure: Failure; readonly at: number }
type Sent = { readonly type: 'code.sent'; readonly code: SentCode }

export type SettledEvent =
  /** The session machine takes over. */
  { readonly type: 'attempt.succeeded' } | Failed | PortBroken

export type AttemptEvent = SettledEvent | Sent

export type FactorsEvent =
  | { readonly type: 'factors.loaded'; readonly factors: readonly FactorChoice[] }
  | { readonly type: 'factors.failed'; readonly failure: Failure }
  | PortBroken

/** The port: reports the session now and on each change. */
const watchSession = port<SessionChanged>('watchSession')
/** The port: sends what was typed into a form; for `code`, verifies the code. */
const submitForm = port<
  AttemptEvent,
  { readonly form: SignInForm; readonly code: SentCode | undefined; readonly acceptsNew: boolean }
>('submitForm')
/** The port: sends a message with a code again; without `code`, the confirmation of the typed address. */
const resendCode = port<AttemptEvent, { readonly code: SentCode | undefined; readonly acceptsNew: boolean }>(
  'resendCode',
)
/** The port: creates an anonymous user. */
const signInAsGuest = port<SettledEvent>('signInAsGuest')
/** The port: the browser asks for the passkey. */
const signInWithPasskey = port<SettledEvent>('signInWithPasskey')
/** The port: leaves the page for an OAuth provider, which redirects back. */
const openProvider = port<SettledEvent, { readonly provider: string }>('openProvider')
/** The port: loads the verified factors of the signed-in user. */
const loadFactors = port<FactorsEvent>('loadFactors')
/** The port: verifies the typed code of a factor. */
const verifyFactor = port<SettledEvent, { readonly factor: string }>('verifyFactor')

const METHODS: readonly SignInMethod[] = ['password', 'link', 'phone', 'sso']

/** A guard for the form that `form.choose` names. */
const isChosen = (candidate: SignInForm) =>
  ({
    type: 'isChosen',
    params: ({ event: { form } }: { event: { form: string } }) => ({ form, candidate }),
  }) as const

const signInSetup = setup({
  types: {
    context: {} as SignInContext,
    events: {} as SignInEvent | SessionChanged | AttemptEvent | FactorsEvent,
    input: {} as SignInInput,
  },
  actors: {
    watchSession,
    submitForm,
    resendCode,
    signInAsGuest,
    signInWithPasskey,
    openProvider,
    loadFactors,
    verifyFactor,
  },
  guards: {
    isSignedOut: ({ context }) => !context.session.isAuthenticated,
    needsFactor: ({ context }) => context.session.needsFactor,
    isRecovering: ({ context }) => context.session.isRecovering,
    isBusy: stateIn({ signedOut: { attempt: 'busy' } }),
    isChosen: (_, { form, candidate }: { form: string; candidate: string }) => form === candidate,
    isFirst: ({ context }, { candidate }: { candidate: SignInMethod }) => context.methods[0] === candidate,
    isMissing: (_, { methods, candidate }: { methods: readonly SignInMethod[]; candidate: SignInMethod }) =>
      methods.length > 0 && !methods.includes(candidate),
    isRateLimited: ({ context: { failure } }) =>
      failure?.kind === 'rateLimit' && failure.retryAfter !== undefined,
    isTooEarly: ({ context: { failure, failedAt } }, { at }: { at: number }) =>
      at < failedAt + (failure?.retryAfter ?? 0) * 1000,
    isPasswordWeak: ({ context }) => context.failure?.code === 'weak_password',
    isCaptchaRequired: ({ context }) => context.failure?.code === 'captcha_failed',
    isEmailUnconfirmed: ({ context }) => context.failure?.code === 'email_not_confirmed',
    isUserExisting: ({ context }) => context.failure?.code === 'user_already_exists',
    isUnreachable: ({ context }) =>
      context.failure?.kind === 'network' || context.failure?.kind === 'timeout',
  },
  actions: {
    setMethods: assign((_, { methods, acceptsNew }: OfferedEvent) => ({ methods, acceptsNew })),
    setSession: assign((_, { session }: { session: SessionFacts }) => ({ session })),
    setForm: assign((_, { form }: { form: SignInForm }) => ({ form })),
    setProvider: assign((_, { provider }: { provider: string }) => ({ provider })),
    setCode: assign((_, { code }: { code: SentCode }) => ({ code, resent: 0 })),
    countResent: assign(({ context }) => ({ resent: context.resent + 1 })),
    setFailure: assign((_, { failure, at }: Failed) => ({ failure, failedAt: at })),
    setPortFailure: assign((_, { failure }: { failure: Failure }) => ({ failure })),
    clearFailure: assign({ failure: undefined }),
    requireCaptcha: assign({ needsCaptcha: true }),
    setFactors: assign((_, { factors }: { factors: readonly FactorChoice[] }) => ({
      factors,
      factor: factors[0]?.id ?? '',
    })),
    setFactor: assign((_, { factor }: { factor: string }) => ({ factor })),
  },
})

/** The form of a method: replaced by another one if the backend turns out not to have it. */
const methodForm = (candidate: SignInMethod) =>
  signInSetup.createStateConfig({
    on: {
      'methods.changed': [
        {
          guard: { type: 'isMissing', params: ({ event: { methods } }) => ({ methods, candidate }) },
          target: 'first',
          actions: withEvent('setMethods'),
        },
        { actions: withEvent('setMethods') },
      ],
    },
  })

const form = signInSetup.createStateConfig({
  initial: 'first',
  on: {
    'form.choose': [
      { guard: 'isBusy' },
      { guard: isChosen('password'), target: '.password' },
      { guard: isChosen('link'), target: '.link' },
      { guard: isChosen('phone'), target: '.phone' },
      { guard: isChosen('sso'), target: '.sso' },
      { guard: isChosen('signUp'), target: '.signUp' },
      { guard: isChosen('recovery'), target: '.recovery' },
      { target: '.first' },
    ],
    'code.sent': { target: '.code', actions: withEvent('setCode') },
  },
  states: {
    first: {
      always: [
        ...METHODS.map(candidate => ({
          guard: { type: 'isFirst' as const, params: { candidate } },
          target: candidate,
        })),
        { target: 'password' },
      ],
    },
    password: methodForm('password'),
    link: methodForm('link'),
    phone: methodForm('phone'),
    sso: methodForm('sso'),
    signUp: { description: 'Asks for the email address and password of a new account.' },
    recovery: { description: 'Asks for the address to send the password reset to.' },
    code: {
      description: 'A message was sent; its link can be opened or its code typed here.',
      on: { 'code.sent': { actions: 'countResent' } },
    },
  },
})

const failed = { target: 'failed', actions: withEvent('setFailure') } as const
const broken = { target: 'failed', actions: withEvent('setPortFailure') } as const

/** Ignores the event before the time that the server named; later it starts an attempt. */
const tooEarly = {
  guard: { type: 'isTooEarly', params: ({ event: { at } }: { event: { at: number } }) => ({ at }) },
} as const

const attempt = signInSetup.createStateConfig({
  initial: 'ready',
  states: {
    ready: {
      description: 'Nothing runs; an attempt can be started.',
      initial: 'idle',
      on: {
        'form.choose': '.idle',
        'form.submit': {
          target: 'busy.submitting',
          actions: { type: 'setForm', params: ({ event: { form } }) => ({ form }) },
        },
        'code.resend': 'busy.resending',
        'confirmation.resend': 'busy.confirming',
        'guest.signIn': 'busy.enteringAsGuest',
        'passkey.signIn': 'busy.usingPasskey',
        'provider.open': {
          target: 'busy.openingProvider',
          actions: { type: 'setProvider', params: ({ event: { provider } }) => ({ provider }) },
        },
      },
      states: {
        idle: { entry: 'clearFailure' },
        failed: {
          description: 'The last attempt failed.',
          initial: 'classifying',
          on: { 'form.changed': 'idle' },
          states: {
            classifying: {
              always: [
                { guard: 'isRateLimited', target: 'rateLimited' },
                { guard: 'isPasswordWeak', target: 'passwordWeak' },
                { guard: 'isCaptchaRequired', target: 'captchaRequired' },
                { guard: 'isEmailUnconfirmed', target: 'emailUnconfirmed' },
                { guard: 'isUserExisting', target: 'userExists' },
                { guard: 'isUnreachable', target: 'unreachable' },
                { target: 'refused' },
              ],
            },
            rateLimited: {
              description: 'The server named a time; nothing is sent before.',
              on: {
                'form.changed': {},
                'form.submit': tooEarly,
                'code.resend': tooEarly,
                'confirmation.resend': tooEarly,
              },
            },
            passwordWeak: {
              description: 'What the password lacks stays visible while it is edited.',
              on: { 'form.changed': {} },
            },
            captchaRequired: { entry: 'requireCaptcha' },
            emailUnconfirmed: { description: 'The confirmation can be sent again.' },
            userExists: { description: 'The address has an account: sign in, or reset its password.' },
            unreachable: { description: 'No response; the backend or the device may be offline.' },
            refused: { description: 'Refused for another reason, such as a wrong password or code.' },
          },
        },
      },
    },
    busy: {
      description: 'One attempt runs.',
      entry: 'clearFailure',
      initial: 'submitting',
      on: {
        'attempt.succeeded': 'ready.idle',
        'code.sent': 'ready.idle',
        'attempt.failed': { ...failed, target: 'ready.failed' },
        'port.broken': { ...broken, target: 'ready.failed' },
      },
      states: {
        submitting: {
          invoke: {
            id: 'submitForm',
            src: 'submitForm',
            input: ({ context: { form, code, acceptsNew } }) => ({ form, code, acceptsNew }),
          },
        },
        resending: {
          invoke: {
            id: 'resendCode',
            src: 'resendCode',
            input: ({ context: { code, acceptsNew } }) => ({ code, acceptsNew }),
          },
        },
        confirming: {
          description: 'The email that confirms the typed address is sent again.',
          invoke: {
            id: 'resendCode',
            src: 'resendCode',
            input: ({ context: { acceptsNew } }) => ({ code: undefined, acceptsNew }),
          },
        },
        enteringAsGuest: { invoke: { id: 'signInAsGuest', src: 'signInAsGuest' } },
        usingPasskey: { invoke: { id: 'signInWithPasskey', src: 'signInWithPasskey' } },
        openingProvider: {
          description: 'The page is left for the OAuth provider.',
          invoke: {
            id: 'openProvider',
            src: 'openProvider',
            input: ({ context: { provider } }) => ({ provider }),
          },
        },
      },
    },
  },
})

const secondFactor = signInSetup.createStateConfig({
  description: 'The new session has one factor; the user’s second one is asked for.',
  initial: 'loading',
  entry: 'clearFailure',
  always: [
    { guard: 'isSignedOut', target: 'signedOut' },
    { guard: not('needsFactor'), target: 'deciding' },
  ],
  on: { 'step.skip': [{ guard: 'isRecovering', target: 'newPassword' }, { target: 'complete' }] },
  states: {
    loading: {
      invoke: { id: 'loadFactors', src: 'loadFactors' },
      on: {
        'factors.loaded': { target: 'entering', actions: withEvent('setFactors') },
        'factors.failed': { target: 'unavailable', actions: withEvent('setPortFailure') },
        'port.broken': { target: 'unavailable', actions: withEvent('setPortFailure') },
      },
    },
    unavailable: {
      description: 'The factors could not be loaded.',
      on: { 'factor.retry': 'loading' },
    },
    entering: {
      description: 'The code of the chosen factor is typed.',
      entry: 'clearFailure',
      on: {
        'factor.choose': { actions: withEvent('setFactor') },
        'factor.verify': 'verifying',
      },
    },
    verifying: {
      invoke: {
        id: 'verifyFactor',
        src: 'verifyFactor',
        input: ({ context: { factor } }) => ({ factor }),
      },
      on: { 'attempt.succeeded': 'verified', 'attempt.failed': failed, 'port.broken': broken },
    },
    failed: {
      description: 'The code was refused.',
      initial: 'classifying',
      on: {
        'form.changed': 'entering',
        'factor.choose': { target: 'entering', actions: withEvent('setFactor') },
        'factor.verify': 'verifying',
      },
      states: {
        classifying: {
          always: [{ guard: 'isRateLimited', target: 'rateLimited' }, { target: 'refused' }],
        },
        rateLimited: {
          description: 'The server named a time; nothing is sent before.',
          on: { 'form.changed': {}, 'factor.verify': tooEarly },
        },
        refused: {},
      },
    },
    verified: { description: 'Waits until the session reports the higher level.' },
  },
})

/** The sign-in page of the workbench, from its first form until the app opens. */
export const signInMachine = signInSetup.createMachine({
  id: 'signIn',
  context: ({ input }) => ({
    ...input,
    form: 'password',
    provider: '',
    code: undefined,
    resent: 0,
    failure: undefined,
    failedAt: 0,
    needsCaptcha: false,
    factors: [],
    factor: '',
  }),
  invoke: { id: 'watchSession', src: 'watchSession' },
  initial: 'deciding',
  on: {
    'session.changed': { actions: withEvent('setSession') },
    'methods.changed': { actions: withEvent('setMethods') },
  },
  states: {
    deciding: {
      description: 'Decides what the session still needs.',
      always: [
        { guard: 'isSignedOut', target: 'signedOut' },
        { guard: 'needsFactor', target: 'secondFactor' },
        { guard: 'isRecovering', target: 'newPassword' },
        { target: 'complete' },
      ],
    },
    signedOut: {
      type: 'parallel',
      always: { guard: not('isSignedOut'), target: 'deciding' },
      states: { form, attempt },
    },
    secondFactor,
    newPassword: {
      description: 'The session exists to set a new password.',
      always: [
        { guard: 'isSignedOut', target: 'signedOut' },
        { guard: not('isRecovering'), target: 'complete' },
      ],
      on: { 'step.skip': 'complete' },
    },
    complete: { type: 'final' },
  },
})
