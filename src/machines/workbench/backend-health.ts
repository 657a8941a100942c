// Whether a backend responds and accepts the API key: suspected from the calls that are made anyway, confirmed by a
// check, and checked again until it responds.
import { assign, emit, setup } from 'xstate'
import { withEvent } from '../with-event.ts'
import { port } from '../port.ts'
import {
  AUTO_RETRY_DELAY,
  BACKEND_CHECK_TIMEOUT,
  BACKEND_PATIENCE,
  MAX_MAINTENANCE_DELAY,
} from '../timings.ts'

/** A response, with the time of the client in ms. */
export interface Response {
  readonly at: number
  readonly status: number
  /** Seconds, from `Retry-After`. */
  readonly retryAfter?: number
}
type Timed = { readonly at: number }

export type BackendHealthEvent =
  /** A call was sent. */
  | ({ readonly type: 'backend.called' } & Timed)
  | ({ readonly type: 'backend.answered' } & Response)
  /** A call failed without a response; the call itself may be the cause. */
  | ({ readonly type: 'backend.silent' } & Timed)
  /** A check is due, such as when the user retries or returns to the page. */
  | ({ readonly type: 'backend.check' } & Timed)
  | ({ readonly type: 'device.changed'; readonly online: boolean } & Timed)
  /** The client has confirmed that the backend refuses the API key, or that it accepts it again. */
  | ({ readonly type: 'backend.keyChanged'; readonly rejected: boolean } & Timed)

/** Events of the port. */
export type BackendChecked =
  ({ readonly type: 'check.answered' } & Response) | ({ readonly type: 'check.failed' } & Timed)

/** Emitted when a backend responds again. */
export type BackendHealthEmitted = { readonly type: 'backend.recovered' }

export interface BackendHealthContext {
  /** Client time of the first sign of the trouble: when the call without a response was sent. */
  readonly since: number
  /** Status of the last check's response; undefined if there was none. */
  readonly status: number | undefined
  /** Client time of the last check's result, from which the next one is planned. */
  readonly checkedAt: number
  /** Delay in ms before the next check. */
  readonly delay: number
  /** Client time since when the API key is refused. */
  readonly keyRejectedAt: number | undefined
}

/** The port: sends one small call within the time limit, and reports the result. */
const checkBackend = port<BackendChecked, { readonly timeout: number }>('checkBackend')

/** Sent by what stands before a service that is away, not by the service. */
const GATEWAY_STATUS: ReadonlySet<number> = new Set([
  502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530, 540,
])

const delayFrom = ({ retryAfter }: { readonly retryAfter?: number }): number =>
  retryAfter === undefined
    ? AUTO_RETRY_DELAY
    : Math.min(Math.max(retryAfter * 1_000, 1_000), MAX_MAINTENANCE_DELAY)

const healthSetup = setup({
  types: {
    context: {} as BackendHealthContext,
    events: {} as BackendHealthEvent | BackendChecked,
    emitted: {} as BackendHealthEmitted,
  },
  actors: { checkBackend },
  delays: { patience: BACKEND_PATIENCE, untilNextCheck: ({ context }) => context.delay },
  guards: {
    isAlive: (_, { status }: { readonly status: number }) => !GATEWAY_STATUS.has(status),
    isOnline: (_, { online }: { readonly online: boolean }) => online,
    isOffline: (_, { online }: { readonly online: boolean }) => !online,
    hasNoResponse: ({ context }) => context.status === undefined,
    isKeyRejected: ({ context }) => context.keyRejectedAt !== undefined,
    isKeyAccepted: ({ context }) => context.keyRejectedAt === undefined,
    isMaintenance: ({ context }) => context.status === 503,
  },
  actions: {
    setSince: assign((_, { at }: Timed) => ({ since: at })),
    setKey: assign(({ context }, { rejected, at }: { readonly rejected: boolean } & Timed) => ({
      keyRejectedAt: rejected ? (context.keyRejectedAt ?? at) : undefined,
    })),
    setFailedCheck: assign((_, { at }: Timed) => ({
      status: undefined,
      checkedAt: at,
      delay: AUTO_RETRY_DELAY,
    })),
    setBadCheck: assign((_, { at, status, retryAfter }: Response) => ({
      status,
      checkedAt: at,
      delay: delayFrom(retryAfter === undefined ? {} : { retryAfter }),
    })),
    reportRecovery: emit({ type: 'backend.recovered' } satisfies BackendHealthEmitted),
  },
})

const isAlive = withEvent('isAlive')
const setSince = withEvent('setSince')
const checking = {
  id: 'checkBackend',
  src: 'checkBackend',
  input: { timeout: BACKEND_CHECK_TIMEOUT },
} as const

const responding = healthSetup.createStateConfig({
  description: 'No sign of trouble.',
  always: { guard: 'isKeyRejected', target: 'keyRejected' },
  initial: 'quiet',
  states: {
    quiet: {
      on: { 'backend.called': { target: 'awaiting', actions: setSince } },
    },
    awaiting: {
      description: 'A call is under way. If nothing responds for a while, the backend is checked.',
      after: { patience: '#backendHealth.checking' },
      on: { 'backend.silent': '#backendHealth.checking' },
    },
  },
  on: {
    'backend.answered': [
      { guard: isAlive, target: '.quiet' },
      { target: 'checking', actions: setSince },
    ],
    'backend.silent': { target: 'checking', actions: setSince },
    'backend.check': { target: 'checking', actions: setSince },
  },
})

const troubled = healthSetup.createStateConfig({
  description: 'Two calls in a row confirmed it. Any good response ends it.',
  type: 'parallel',
  states: {
    fault: {
      initial: 'deciding',
      states: {
        deciding: {
          always: [
            { guard: 'hasNoResponse', target: 'unreachable' },
            { guard: 'isMaintenance', target: 'maintenance' },
            { target: 'failing' },
          ],
        },
        unreachable: { description: 'No response within the time limit.' },
        maintenance: { description: 'It responds with 503, and may name a time.' },
        failing: { description: 'It responds with another error of its gateway.' },
      },
    },
    attempt: {
      initial: 'waiting',
      states: {
        waiting: {
          description: 'Until the time that the backend named, or for some seconds.',
          after: { untilNextCheck: 'checking' },
          on: { 'backend.check': 'checking' },
        },
        checking: {
          invoke: checking,
          on: {
            'check.answered': [
              { guard: isAlive, target: '#backendHealth.responding', actions: 'reportRecovery' },
              {
                target: ['#backendHealth.troubled.fault.deciding', 'waiting'],
                actions: withEvent('setBadCheck'),
              },
            ],
            'check.failed': {
              target: ['#backendHealth.troubled.fault.deciding', 'waiting'],
              actions: withEvent('setFailedCheck'),
            },
          },
        },
      },
    },
  },
  on: {
    'backend.answered': { guard: isAlive, target: 'responding', actions: 'reportRecovery' },
  },
})

/** The health of one backend, for as long as its client lives. */
export const backendHealthMachine = healthSetup.createMachine({
  id: 'backendHealth',
  context: {
    since: 0,
    status: undefined,
    checkedAt: 0,
    delay: AUTO_RETRY_DELAY,
    keyRejectedAt: undefined,
  },
  initial: 'responding',
  on: {
    'device.changed': {
      guard: withEvent('isOffline'),
      target: '.offline',
      actions: setSince,
    },
    'backend.keyChanged': { actions: withEvent('setKey') },
  },
  states: {
    responding,
    checking: {
      description: 'A call failed, took long, or got an error of a gateway; the check decides.',
      invoke: checking,
      on: {
        'backend.answered': { guard: isAlive, target: 'responding' },
        'check.answered': [
          { guard: isAlive, target: 'responding' },
          { target: 'troubled', actions: withEvent('setBadCheck') },
        ],
        'check.failed': {
          target: 'troubled',
          actions: withEvent('setFailedCheck'),
        },
      },
    },
    troubled,
    keyRejected: {
      description:
        'It responds, and refuses the API key. The client checks the key; here only a backend that falls silent is checked.',
      always: { guard: 'isKeyAccepted', target: 'responding', actions: 'reportRecovery' },
      on: { 'backend.silent': { target: 'checking', actions: setSince } },
    },
    offline: {
      description: 'The device has no network; nothing is checked.',
      on: {
        'device.changed': {
          guard: withEvent('isOnline'),
          target: 'checking',
          actions: setSince,
        },
      },
    },
  },
})
