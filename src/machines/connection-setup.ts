// The guards, actions and delays of the connection machine.
import { assign, sendParent, sendTo, setup } from 'xstate'
import { planRetry } from './backoff.ts'
import { classifyStatus } from './channel-refusal.ts'
import type {
  Answer,
  ConnectionCommand,
  ConnectionContext,
  ConnectionReport,
  EnvironmentState,
} from './connection-events.ts'
import { identityOf, isAnotherCaller, isOpen, type AuthGate, type AuthGateEvent } from './gate.ts'
import { probeSocket, socket, type EnvironmentEvent, type ProbeEvent, type SocketEvent } from './ports.ts'
import type { Timings } from './timings.ts'

/** The reason for closing a socket of a page that was hidden for long. */
export const HIDDEN = 'hidden'

const isTooOften = (answer: Answer | undefined) =>
  answer !== undefined && classifyStatus(answer.status) === 'rateLimited'

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
    pause: ({ context }) => context.delay,
  },
  guards: {
    mustRest: ({ context }) => !context.online || context.frozen,
    isOpen: ({ context }) => isOpen(context.gate),
    isHidden: ({ context }) => !context.visible,
    isVisible: ({ context }) => context.visible,
    /** A socket closed while hidden reconnects when the page becomes visible. */
    isBack: ({ context: { online, frozen, visible, reason } }) =>
      online && !frozen && (visible || reason !== HIDDEN),
    /** Regained network or visibility does not shorten `Retry-After`. */
    comesNearer: ({ context: { answer, ...before } }, { online, visible }: EnvironmentState) =>
      !isTooOften(answer) &&
      answer?.retryAfter === undefined &&
      ((online && !before.online) || (visible && !before.visible)),
    isSomebodyElse: ({ context }, params: { gate: AuthGate }) =>
      identityOf(params.gate) !== identityOf(context.gate),
    isAnotherCaller: ({ context }, { gate }: { gate: AuthGate }) => isAnotherCaller(context.gate, gate),
    isDenied: (_, params: Answer) => classifyStatus(params.status) === 'denied',
  },
  actions: {
    keepGate: assign((_, params: { gate: AuthGate }) => ({ gate: params.gate })),
    keepSurroundings: assign((_, { online, visible, frozen = false }: EnvironmentState) => {
      return { online, visible, frozen }
    }),
    keepReason: assign((_, params: { reason: string }) => ({ reason: params.reason })),
    keepRest: assign(({ context: { online, frozen, reason } }) => {
      return { reason: online ? (frozen ? 'frozen' : reason) : 'offline' }
    }),
    keepAnswer: assign((_, { status, retryAfter }: Answer) => {
      if (status < 400) return {}
      return {
        answer: { status, ...(retryAfter !== undefined && { retryAfter }) },
        reason: `refused with ${status}`,
      }
    }),
    /** Uses a live token that could not be refreshed in time. */
    takeTokenAsItIs: assign(({ context: { gate } }) => {
      return gate.kind === 'user' ? { gate: { ...gate, dueAt: Number.MAX_SAFE_INTEGER } } : {}
    }),
    planRetry: assign(({ context: { attempt, seed, answer, timings } }) => {
      const { backoffMin, backoffMax: max } = timings
      const min = isTooOften(answer) ? max : backoffMin
      return planRetry({ attempt: attempt + 1, seed, min, max, retryAfter: answer?.retryAfter })
    }),
    forgetAnswer: assign({ answer: undefined }),
    startAfresh: assign({ attempt: 0, delay: 0, reason: undefined, answer: undefined }),
    settle: assign({ attempt: 0 }),
    forgetReason: assign({ reason: undefined }),
    pushToken: sendTo('socket', { type: 'token.push' }),
    probe: sendTo('socket', { type: 'socket.probe' }),
    askForToken: sendParent({ type: 'token.needed' } satisfies ConnectionReport),
    tellOpened: sendParent({ type: 'connection.opened' } satisfies ConnectionReport),
    tellLost: sendParent(({ context }) => {
      return { type: 'connection.lost', reason: context.reason ?? 'closed' } satisfies ConnectionReport
    }),
  },
})
