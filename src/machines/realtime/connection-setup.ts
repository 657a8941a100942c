// The guards, actions and delays of the connection machine.
import { assign, sendParent, sendTo, setup } from 'xstate'
import { planRetry } from '../backoff.ts'
import { classifyStatus } from './channel-refusal.ts'
import type {
  ConnectionCommand,
  ConnectionContext,
  ConnectionReport,
  EnvironmentState,
  ProbeResponse,
} from './connection-events.ts'
import { identityOf, hasNewCredentials, isOpen, type AuthGate, type AuthGateEvent } from '../session/gate.ts'
import { probeSocket, socket, type EnvironmentEvent, type ProbeEvent, type SocketEvent } from '../ports.ts'
import type { Timings } from '../timings.ts'

/** The reason for closing a socket of a page that was hidden for long. */
export const HIDDEN = 'hidden'

const isRateLimited = (response: ProbeResponse | undefined) =>
  response !== undefined && classifyStatus(response.status) === 'rateLimited'

export const connectionSetup = setup({
  types: {
    context: {} as ConnectionContext,
    events: {} as ConnectionCommand | AuthGateEvent | EnvironmentEvent | SocketEvent | ProbeEvent,
    input: {} as { timings: Timings; seed: number },
  },
  actors: { socket, probeSocket },
  delays: {
    connectTimeout: ({ context }) => context.timings.connectTimeout,
    tokenTimeout: ({ context }) => context.timings.tokenTimeout,
    authTimeout: ({ context }) => context.timings.authTimeout,
    probeTimeout: ({ context }) => context.timings.probeTimeout,
    suspendHiddenAfter: ({ context }) => context.timings.suspendHiddenAfter,
    lingerFor: ({ context }) => context.timings.lingerFor,
    settleAfter: ({ context }) => context.timings.settleAfter,
    deniedRetry: ({ context }) => context.timings.deniedRetry,
    retryDelay: ({ context }) => context.delay,
  },
  guards: {
    mustSuspend: ({ context }) => !context.online || context.frozen,
    isOpen: ({ context }) => isOpen(context.gate),
    isHidden: ({ context }) => !context.visible,
    isVisible: ({ context }) => context.visible,
    /** A socket closed while hidden reconnects when the page becomes visible. */
    canResume: ({ context: { online, frozen, visible, reason } }) =>
      online && !frozen && (visible || reason !== HIDDEN),
    /** Regained network or visibility does not shorten `Retry-After`. */
    canRetryNow: ({ context: { probeResponse, ...before } }, { online, visible }: EnvironmentState) =>
      !isRateLimited(probeResponse) &&
      probeResponse?.retryAfter === undefined &&
      ((online && !before.online) || (visible && !before.visible)),
    isOtherUser: ({ context }, params: { gate: AuthGate }) =>
      identityOf(params.gate) !== identityOf(context.gate),
    hasNewCredentials: ({ context }, { gate }: { gate: AuthGate }) => hasNewCredentials(context.gate, gate),
    isDenied: (_, params: ProbeResponse) => classifyStatus(params.status) === 'denied',
  },
  actions: {
    setGate: assign((_, params: { gate: AuthGate }) => ({ gate: params.gate })),
    setEnvironment: assign((_, { online, visible, frozen = false }: EnvironmentState) => {
      return { online, visible, frozen }
    }),
    setReason: assign((_, params: { reason: string }) => ({ reason: params.reason })),
    setSuspendReason: assign(({ context: { online, frozen, reason } }) => {
      return { reason: online ? (frozen ? 'frozen' : reason) : 'offline' }
    }),
    setProbeResponse: assign((_, { status, retryAfter }: ProbeResponse) => {
      if (status < 400) return {}
      return {
        probeResponse: { status, ...(retryAfter !== undefined && { retryAfter }) },
        reason: `refused with ${status}`,
      }
    }),
    /** Uses a live token that could not be refreshed in time. */
    acceptDueToken: assign(({ context: { gate } }) => {
      return gate.kind === 'user' ? { gate: { ...gate, dueAt: Number.MAX_SAFE_INTEGER } } : {}
    }),
    planRetry: assign(({ context: { attempt, seed, probeResponse, timings } }) => {
      const { backoffMin, backoffMax: max } = timings
      const min = isRateLimited(probeResponse) ? max : backoffMin
      return planRetry({ attempt: attempt + 1, seed, min, max, retryAfter: probeResponse?.retryAfter })
    }),
    clearProbeResponse: assign({ probeResponse: undefined }),
    reset: assign({ attempt: 0, delay: 0, reason: undefined, probeResponse: undefined }),
    resetAttempts: assign({ attempt: 0 }),
    clearReason: assign({ reason: undefined }),
    pushToken: sendTo('socket', { type: 'token.push' }),
    probe: sendTo('socket', { type: 'socket.probe' }),
    requestToken: sendParent({ type: 'token.needed' } satisfies ConnectionReport),
    notifyOpened: sendParent({ type: 'connection.opened' } satisfies ConnectionReport),
    notifyLost: sendParent(({ context }) => {
      return { type: 'connection.lost', reason: context.reason ?? 'closed' } satisfies ConnectionReport
    }),
  },
})
