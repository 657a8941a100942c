// Setting a password: saved, or first confirmed with an emailed code if the sign-in is too old.
import { assign, emit, setup } from 'xstate'
import { withEvent } from '../with-event.ts'
import type { Failure } from '../failure.ts'
import { port } from '../port.ts'
import type { PortBroken } from '../ports.ts'

export interface NewPasswordContext {
  readonly failure: Failure | undefined
  /** Client time of the failure. */
  readonly failedAt: number
  /** The sign-in is too old: a code sent by email confirms the user. */
  readonly needsCode: boolean
}

/** The password and the code stay outside. `at` is client time. */
export type NewPasswordEvent =
  | { readonly type: 'password.save'; readonly at: number }
  /** Emails the code that confirms the user, again. */
  | { readonly type: 'code.request'; readonly at: number }
  /** A field was edited, so the last failure may no longer apply. */
  | { readonly type: 'password.changed' }

type Refused = { readonly type: 'password.refused'; readonly failure: Failure; readonly at: number }
export type SavePasswordEvent = { readonly type: 'password.saved' } | Refused | PortBroken
export type RequestCodeEvent = { readonly type: 'code.requested' } | Refused | PortBroken

/** The port: sets the typed password, with the typed code if there is one. */
const savePassword = port<SavePasswordEvent>('savePassword')
/** The port: has a code emailed to the user. */
const requestCode = port<RequestCodeEvent>('requestCode')

const failed = { target: 'failed', actions: withEvent('setFailure') } as const
const broken = { target: 'failed', actions: withEvent('setPortFailure') } as const

/** Ignores the event before the time that the server named; later it is sent. */
const tooEarly = {
  guard: { type: 'isTooEarly', params: ({ event: { at } }: { event: { at: number } }) => ({ at }) },
} as const

export const newPasswordMachine = setup({
  types: {
    context: {} as NewPasswordContext,
    events: {} as NewPasswordEvent | SavePasswordEvent | RequestCodeEvent,
    emitted: {} as { readonly type: 'password.saved' },
  },
  actors: { savePassword, requestCode },
  guards: {
    needsCode: (_, { failure }: { failure: Failure }) => failure.code === 'reauthentication_needed',
    isRateLimited: ({ context: { failure } }) =>
      failure?.kind === 'rateLimit' && failure.retryAfter !== undefined,
    isTooEarly: ({ context: { failure, failedAt } }, { at }: { at: number }) =>
      at < failedAt + (failure?.retryAfter ?? 0) * 1000,
    isPasswordWeak: ({ context }) => context.failure?.code === 'weak_password',
  },
  actions: {
    setFailure: assign((_, { failure, at }: Refused) => ({ failure, failedAt: at })),
    setPortFailure: assign((_, { failure }: PortBroken) => ({ failure })),
    clearFailure: assign({ failure: undefined }),
    requireCode: assign({ needsCode: true }),
    dropCode: assign({ needsCode: false }),
    announce: emit({ type: 'password.saved' }),
  },
}).createMachine({
  id: 'newPassword',
  context: { failure: undefined, failedAt: 0, needsCode: false },
  initial: 'entering',
  states: {
    entering: {
      entry: 'clearFailure',
      on: { 'password.save': 'saving', 'code.request': 'requestingCode' },
    },
    saving: {
      entry: 'clearFailure',
      invoke: { id: 'savePassword', src: 'savePassword' },
      on: {
        'password.saved': { target: 'entering', actions: ['dropCode', 'announce'] },
        'password.refused': [
          {
            guard: { type: 'needsCode', params: ({ event: { failure } }) => ({ failure }) },
            target: 'requestingCode',
          },
          failed,
        ],
        'port.broken': broken,
      },
    },
    requestingCode: {
      description: 'The sign-in is too old: a code by email confirms the user.',
      entry: ['clearFailure', 'requireCode'],
      invoke: { id: 'requestCode', src: 'requestCode' },
      on: { 'code.requested': 'entering', 'password.refused': failed, 'port.broken': broken },
    },
    failed: {
      description: 'The password was not set, or no code was sent.',
      initial: 'classifying',
      on: {
        'password.changed': 'entering',
        'password.save': 'saving',
        'code.request': 'requestingCode',
      },
      states: {
        classifying: {
          always: [
            { guard: 'isRateLimited', target: 'rateLimited' },
            { guard: 'isPasswordWeak', target: 'passwordWeak' },
            { target: 'refused' },
          ],
        },
        rateLimited: {
          description: 'The server named a time; nothing is sent before.',
          on: { 'password.changed': {}, 'password.save': tooEarly, 'code.request': tooEarly },
        },
        passwordWeak: {
          description: 'What the password lacks stays visible while it is edited.',
          on: { 'password.changed': {} },
        },
        refused: {},
      },
    },
  },
})
