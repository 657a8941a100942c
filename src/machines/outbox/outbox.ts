// The outbox: sends stored writes in order, each as the user who made it, from one tab at a time.
import { assign, setup } from 'xstate'
import { planRetry } from '../backoff.ts'
import type { Failure } from '../failure.ts'
import { withEvent } from '../with-event.ts'
import {
  claimQueue,
  type ClaimQueueEvent,
  type OutboxCommand,
  readQueue,
  type ReadQueueEvent,
  sendWrite,
  type SendWriteEvent,
  storeDecision,
  type StoreDecisionEvent,
  watchClient,
  type WatchClientEvent,
  watchQueue,
  type WatchQueueEvent,
  SIGNED_OUT,
  type WriteDecision,
  type WriteInfo,
} from './outbox-info.ts'

/** Milliseconds between attempts while a write does not reach the backend. */
const RETRY = { min: 1_000, max: 300_000 } as const
/** Milliseconds until a storage that could not be read is read again. */
const READ_AGAIN = 5_000

export interface OutboxInput {
  /** Seed of the jitter generator. */
  readonly seed: number
}

export interface OutboxContext extends OutboxInput {
  /** A user's id, `SIGNED_OUT` while signed out; undefined until the session is known. */
  readonly identity: string | undefined
  readonly online: boolean
  /** In the order in which they were made. */
  readonly writes: readonly WriteInfo[]
  /** Attempts to send the next write. */
  readonly attempt: number
  readonly delay: number
  /** Why the last attempt did not reach the backend. */
  readonly failure?: Failure | undefined
  /** Decisions that are not stored yet. */
  readonly decisions: readonly { readonly id: string; readonly decision: WriteDecision }[]
}

/** A user's writes and those that need no user are sent; those of other users wait. */
const isOwn = ({ identity }: OutboxContext, { userId }: WriteInfo): boolean =>
  userId === SIGNED_OUT || userId === identity

/** The next write to be sent. A write that asks blocks later ones. */
export function nextWrite(context: OutboxContext): WriteInfo | undefined {
  return context.writes.find(write => write.phase !== 'refused' && isOwn(context, write))
}

function idsOf(context: OutboxContext) {
  const write = nextWrite(context)
  // `sending` is entered only if there is one.
  return { id: write?.id ?? '', userId: write?.userId ?? SIGNED_OUT }
}

/** Keeps the list current while another state waits. */
const following = {
  initial: 'current',
  states: {
    current: { on: { 'queue.changed': 'reading' } },
    reading: {
      invoke: { id: 'readQueue', src: 'readQueue' },
      on: {
        'queue.read': { target: 'current', actions: withEvent('setWrites') },
        'queue.changed': { target: 'reading', reenter: true },
        'port.broken': 'current',
      },
    },
  },
} as const

const resting = (description: string) =>
  ({
    description,
    on: {
      'client.changed': { target: 'choosing', actions: withEvent('setClient') },
      'queue.changed': 'reading',
    },
  }) as const

export const outboxMachine = setup({
  types: {
    context: {} as OutboxContext,
    input: {} as OutboxInput,
    events: {} as
      | OutboxCommand
      | WatchClientEvent
      | WatchQueueEvent
      | ReadQueueEvent
      | ClaimQueueEvent
      | SendWriteEvent
      | StoreDecisionEvent,
  },
  actors: { watchClient, watchQueue, readQueue, claimQueue, sendWrite, storeDecision },
  delays: { retryDelay: ({ context }) => context.delay, readAgain: READ_AGAIN },
  guards: {
    isEmpty: ({ context }) => context.writes.every(({ phase }) => phase === 'refused'),
    isSessionUnknown: ({ context }) => context.identity === undefined,
    isHeld: ({ context }) => nextWrite(context) === undefined,
    isAsking: ({ context }) => nextWrite(context)?.phase === 'asking',
    isOffline: ({ context }) => !context.online,
    isBlocked: ({ context }) =>
      context.identity === undefined || !context.online || nextWrite(context)?.phase !== 'queued',
    isOtherIdentity: ({ context }, { identity }: WatchClientEvent) => identity !== context.identity,
    isBackOnline: ({ context }, { online }: WatchClientEvent) => online && !context.online,
    hasDecision: ({ context }) => context.decisions.length > 0,
  },
  actions: {
    setClient: assign((_, { identity, online }: WatchClientEvent) => ({ identity, online })),
    setWrites: assign((_, { writes }: { readonly writes: readonly WriteInfo[] }) => ({ writes })),
    setFailure: assign((_, { failure }: { readonly failure: Failure }) => ({ failure })),
    resetAttempts: assign({ attempt: 0, delay: 0, failure: undefined }),
    planRetry: assign(({ context: { attempt, seed, failure } }) =>
      planRetry({ attempt: attempt + 1, seed, ...RETRY, retryAfter: failure?.retryAfter }),
    ),
    addDecision: assign(({ context }, { id, decision }: { id: string; decision: WriteDecision }) => ({
      decisions: [...context.decisions, { id, decision }],
    })),
    dropDecision: assign(({ context }) => ({ decisions: context.decisions.slice(1) })),
  },
}).createMachine({
  id: 'outbox',
  context: ({ input }) => ({
    ...input,
    identity: undefined,
    online: true,
    writes: [],
    attempt: 0,
    delay: 0,
    decisions: [],
  }),
  invoke: [
    { id: 'watchClient', src: 'watchClient' },
    { id: 'watchQueue', src: 'watchQueue' },
  ],
  type: 'parallel',
  states: {
    queue: {
      initial: 'reading',
      states: {
        reading: {
          description: 'Reads the stored writes.',
          invoke: { id: 'readQueue', src: 'readQueue' },
          on: {
            'queue.read': { target: 'choosing', actions: withEvent('setWrites') },
            'queue.changed': { target: 'reading', reenter: true },
            'client.changed': { actions: withEvent('setClient') },
            'port.broken': { target: 'unreadable', actions: withEvent('setFailure') },
          },
        },
        choosing: {
          description: 'What the next write waits for.',
          always: [
            { guard: 'isEmpty', target: 'empty', actions: 'resetAttempts' },
            { guard: 'isSessionUnknown', target: 'waitingForSession' },
            { guard: 'isHeld', target: 'held' },
            { guard: 'isAsking', target: 'asking' },
            { guard: 'isOffline', target: 'offline' },
            { target: 'sending' },
          ],
        },
        empty: resting('Everything was delivered or refused.'),
        waitingForSession: resting('The session is not known yet.'),
        held: resting('All writes belong to users that are not signed in: they are kept and not sent.'),
        asking: resting('The row of the next write has changed; the user decides, and later writes wait.'),
        offline: resting('This device is offline.'),
        unreadable: {
          description: 'The storage could not be read; nothing is lost, and it is read again.',
          on: {
            'client.changed': { actions: withEvent('setClient') },
            'queue.changed': 'reading',
            'outbox.retry': 'reading',
          },
          after: { readAgain: 'reading' },
        },
        sending: {
          description: 'This tab has the right to send, or waits for it.',
          invoke: { id: 'claimQueue', src: 'claimQueue' },
          initial: 'claiming',
          on: { 'claim.lost': 'reading' },
          states: {
            claiming: {
              description: 'Another tab sends, or has just stopped.',
              always: { guard: 'isBlocked', target: '#outbox.queue.choosing' },
              on: {
                'claim.held': 'refreshing',
                'client.changed': { actions: withEvent('setClient') },
                'port.broken': { target: 'pausing', actions: [withEvent('setFailure'), 'planRetry'] },
              },
              ...following,
            },
            refreshing: {
              description: 'Reads what was stored or delivered in the meantime.',
              invoke: { id: 'readQueue', src: 'readQueue' },
              on: {
                'queue.read': { target: 'next', actions: withEvent('setWrites') },
                'queue.changed': { target: 'refreshing', reenter: true },
                'client.changed': { actions: withEvent('setClient') },
                'port.broken': { target: 'pausing', actions: [withEvent('setFailure'), 'planRetry'] },
              },
            },
            next: {
              description: 'Whether the next write can be sent now.',
              always: [{ guard: 'isBlocked', target: '#outbox.queue.choosing' }, { target: 'delivering' }],
            },
            delivering: {
              description: 'Sends one write, as the user who made it.',
              invoke: { id: 'sendWrite', src: 'sendWrite', input: ({ context }) => idsOf(context) },
              on: {
                'write.delivered': { target: 'refreshing', actions: 'resetAttempts' },
                'write.asking': { target: 'refreshing', actions: 'resetAttempts' },
                'write.refused': { target: 'refreshing', actions: 'resetAttempts' },
                'write.failed': { target: 'pausing', actions: [withEvent('setFailure'), 'planRetry'] },
                'port.broken': { target: 'pausing', actions: [withEvent('setFailure'), 'planRetry'] },
                'client.changed': [
                  {
                    guard: withEvent('isOtherIdentity'),
                    target: '#outbox.queue.choosing',
                    actions: withEvent('setClient'),
                  },
                  { actions: withEvent('setClient') },
                ],
              },
            },
            pausing: {
              description: 'The last attempt did not reach the backend; the write is tried again later.',
              on: {
                'outbox.retry': 'refreshing',
                'decision.stored': 'refreshing',
                'client.changed': [
                  {
                    guard: withEvent('isOtherIdentity'),
                    target: '#outbox.queue.choosing',
                    actions: withEvent('setClient'),
                  },
                  { guard: withEvent('isBackOnline'), target: 'refreshing', actions: withEvent('setClient') },
                  { actions: withEvent('setClient') },
                ],
              },
              after: { retryDelay: 'refreshing' },
              ...following,
            },
          },
        },
      },
    },
    decisions: {
      initial: 'idle',
      on: { 'write.decide': { actions: withEvent('addDecision') } },
      states: {
        idle: {
          description: 'No decision is being stored.',
          always: { guard: 'hasDecision', target: 'storing' },
        },
        storing: {
          description: 'Stores a decision, so that it survives the page and reaches the tab that sends.',
          invoke: {
            id: 'storeDecision',
            src: 'storeDecision',
            input: ({ context }) => context.decisions[0] ?? { id: '', decision: 'discard' as const },
          },
          on: {
            'decision.stored': { target: 'idle', actions: 'dropDecision' },
            'port.broken': { target: 'idle', actions: 'dropDecision' },
          },
        },
      },
    },
  },
})
