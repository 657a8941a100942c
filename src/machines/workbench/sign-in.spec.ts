import { specify, hasEnded, briefly } from '../specify.ts'
import { accountFailures, network, shared } from '../samples.ts'
import { signInMachine } from './sign-in.ts'

const signedOut = { isAuthenticated: false, needsFactor: false, isRecovering: false }
const signedIn = { ...signedOut, isAuthenticated: true }

/** What follows from each way to sign in. */
const settledSamples = {
  ...shared('port.broken'),
  'attempt.failed': accountFailures.map(failure => ({ failure, at: 1 }) as const),
  'attempt.succeeded': [{}],
}

export const signInSpec = specify(signInMachine, {
  about:
    'The sign-in page: its form, the running attempt and why the last one failed, and then the second factor or new password that the session still needs.',
  ports: {
    watchSession: {
      about: 'Reports the session now and on each change.',
      sends: {
        'session.changed': [
          signedIn,
          signedOut,
          { ...signedIn, needsFactor: true },
          { ...signedIn, isRecovering: true },
          { ...signedIn, needsFactor: true, isRecovering: true },
        ].map(session => ({ session }) as const),
      },
      healthy: 'session.changed',
    },
    submitForm: {
      about: 'Sends what was typed into a form; for `code`, verifies the code.',
      sends: { ...settledSamples, 'code.sent': [{ code: { kind: 'email', to: 'mate@harbour.test' } }] },
      healthy: 'attempt.succeeded',
    },
    resendCode: {
      about: 'Sends a message with a code again; without `code`, the confirmation of the typed address.',
      sends: { ...settledSamples, 'code.sent': [{ code: { kind: 'email', to: 'mate@harbour.test' } }] },
      healthy: 'code.sent',
    },
    signInAsGuest: {
      about: 'Creates an anonymous user.',
      sends: settledSamples,
      healthy: 'attempt.succeeded',
    },
    signInWithPasskey: {
      about: 'The browser asks for the passkey.',
      sends: settledSamples,
      healthy: 'attempt.succeeded',
    },
    openProvider: {
      about: 'Leaves the page for an OAuth provider, which redirects back.',
      sends: settledSamples,
      healthy: 'attempt.succeeded',
    },
    loadFactors: {
      about: 'Loads the verified factors of the signed-in user.',
      sends: {
        ...shared('port.broken'),
        'factors.failed': [{ failure: network }],
        'factors.loaded': [
          {
            factors: [
              { id: 'f1', name: 'Phone' },
              { id: 'f2', name: 'Key' },
            ],
          },
          { factors: [] },
        ],
      },
      healthy: 'factors.loaded',
    },
    verifyFactor: {
      about: 'Verifies the typed code of a factor.',
      sends: settledSamples,
      healthy: 'attempt.succeeded',
    },
  },
  events: {
    'code.resend': [0, 100_000].map(at => ({ at }) as const),
    'confirmation.resend': [0, 100_000].map(at => ({ at }) as const),
    'factor.choose': [{ factor: 'f2' }],
    'factor.retry': [{}],
    'factor.verify': [0, 100_000].map(at => ({ at }) as const),
    'form.changed': [{}],
    'form.choose': (['password', 'link', 'phone', 'sso', 'signIn', 'signUp', 'recovery'] as const).map(
      form => ({ form }) as const,
    ),
    'form.submit': [
      { form: 'password', at: 0 },
      { form: 'code', at: 100_000 },
    ],
    'guest.signIn': [{}],
    'methods.changed': ([[], ['phone'], ['password', 'link', 'phone', 'sso']] as const).map(
      methods => ({ methods, acceptsNew: true }) as const,
    ),
    'passkey.signIn': [{}],
    'provider.open': [{ provider: 'github' }],
    'step.skip': [{}],
  },
  ignored: [
    ...(
      [
        'form.submit',
        'code.resend',
        'confirmation.resend',
        'guest.signIn',
        'passkey.signIn',
        'provider.open',
      ] as const
    ).map(event => ({
      event,
      states: ['signedOut.attempt.busy.*', 'secondFactor.*', 'newPassword'],
      reason: 'An attempt is running, or has succeeded.',
    })),
    {
      event: 'form.choose',
      states: ['secondFactor.*', 'newPassword'],
      reason: 'The forms are hidden while a session exists.',
    },
    {
      event: 'form.changed',
      states: [
        'signedOut.attempt.ready.idle',
        'signedOut.attempt.busy.*',
        'secondFactor.loading',
        'secondFactor.unavailable',
        'secondFactor.entering',
        'secondFactor.verifying',
        'secondFactor.verified',
        'newPassword',
      ],
      reason: 'No failure of this form is shown.',
    },
    {
      event: 'factor.choose',
      states: [
        'signedOut.*',
        'secondFactor.loading',
        'secondFactor.unavailable',
        'secondFactor.verifying',
        'secondFactor.verified',
        'newPassword',
      ],
      reason: 'No factor can be chosen in this state.',
    },
    {
      event: 'factor.verify',
      states: [
        'signedOut.*',
        'secondFactor.loading',
        'secondFactor.unavailable',
        'secondFactor.verifying',
        'secondFactor.verified',
        'newPassword',
      ],
      reason: 'No factor is being entered.',
    },
    {
      event: 'factor.retry',
      states: [
        'signedOut.*',
        'secondFactor.loading',
        'secondFactor.entering',
        'secondFactor.verifying',
        'secondFactor.verified',
        'secondFactor.failed.*',
        'newPassword',
      ],
      reason: 'Loading the factors has not failed.',
    },
    { event: 'step.skip', states: ['signedOut.*'], reason: 'Without a session there is nothing to skip.' },
  ],
  inputs: [
    { methods: ['password', 'link'], acceptsNew: true, session: signedOut },
    { methods: [], acceptsNew: false, session: { ...signedOut, isAuthenticated: true, needsFactor: true } },
  ],
  randomInput: { methods: ['password'], acceptsNew: true, session: signedOut },
  situation: ({ failure, failedAt, needsCaptcha, session, factors }) => [
    failure,
    failedAt > 0,
    needsCaptcha,
    session,
    briefly(factors),
  ],
  settling: [
    { type: 'step.skip' },
    { type: 'session.changed', session: { ...signedOut, isAuthenticated: true } },
  ],
  rests: hasEnded,
})
