// One topic: joined with a live token, refusals classified, rejoined with growing delays. Parallel regions
// track row changes, presence, sending, and whether changes were missed.
import type { ChannelCommand, ChannelMessage } from './channel-events.ts'
import { channelSetup, type Counters, type Reason } from './channel-setup.ts'
import type { AuthGateEvent } from './gate.ts'
import { eventParams } from './event-params.ts'

const because = (reason: string) => ({ type: 'keepReason', params: { reason } }) as const
const keepReason = { type: 'keepReason', params: eventParams<Reason> } as const
const keepGate = { type: 'keepGate', params: eventParams<AuthGateEvent> } as const
const handUp = { type: 'handUp', params: eventParams<ChannelMessage> } as const
const keepMeta = { type: 'keepMeta', params: eventParams<ChannelCommand> } as const
const refuse = { type: 'refuse', params: eventParams<ChannelCommand> } as const
const pass = { type: 'pass', params: eventParams<ChannelCommand> } as const
const keepConnected = (connected: boolean) => ({ type: 'keepConnected', params: { connected } }) as const
const reset = (params: Partial<Counters>) => ({ type: 'reset', params }) as const
const withNextToken = {
  guard: { type: 'isAnotherCaller', params: eventParams<AuthGateEvent> },
  target: 'preparing',
  actions: keepGate,
} as const
/** What follows when the server ends a join, by its reason. */
const ended = [
  {
    description: 'The server rejected a token that has been replaced since.',
    guard: { type: 'isPastToken', params: eventParams<Reason> },
    target: 'preparing',
    actions: keepReason,
  },
  {
    guard: { type: 'isTokenRefused', params: eventParams<Reason> },
    target: 'awaitingToken',
    actions: [keepReason, 'rejectToken'],
  },
  { guard: { type: 'isDenied', params: eventParams<Reason> }, target: 'denied', actions: keepReason },
  { target: 'retrying', actions: keepReason },
] as const

export const channelMachine = channelSetup.createMachine({
  id: 'channel',
  context: ({ input }) => ({
    ...input,
    attempt: 0,
    postgresAttempt: 0,
    resyncAttempt: 0,
    delay: 0,
    reason: undefined,
    meta: undefined,
    joinedWith: undefined,
    hasRejected: false,
    sending: [],
  }),
  type: 'parallel',
  states: {
    life: {
      initial: 'preparing',
      on: {
        'gate.changed': { actions: keepGate },
        'connection.opened': { target: '.preparing', actions: keepConnected(true) },
        'connection.lost': { target: '.waiting', actions: { type: 'keepLost', params: eventParams } },
        'channel.options': { target: '.preparing', actions: { type: 'keepOptions', params: eventParams } },
      },
      states: {
        preparing: {
          always: [
            { guard: 'isReady', target: 'attached' },
            { guard: 'isConnected', target: 'awaitingToken' },
            { target: 'waiting' },
          ],
        },
        waiting: { description: 'No open socket.' },
        awaitingToken: {
          description: 'Without a live token, a join would be refused or receive no data.',
          entry: 'askForToken',
          on: { 'gate.changed': withNextToken },
          after: { tokenTimeout: 'preparing' },
        },
        attached: {
          description: 'One join; exiting this state leaves the topic.',
          initial: 'joining',
          entry: 'keepJoining',
          exit: 'tellLeft',
          invoke: {
            id: 'topic',
            src: 'topic',
            input: ({ context }) => ({
              topic: context.topic,
              options: context.options,
              timeout: context.timings.joinTimeout,
            }),
          },
          states: {
            joining: {
              after: {
                joinTimeout: {
                  target: '#channel.life.retrying',
                  actions: because('no response to the join'),
                },
              },
              on: { 'topic.joined': 'joined' },
            },
            joined: {
              entry: [reset({ reason: undefined }), 'trackAgain', 'tellJoined'],
              after: { settleAfter: { actions: reset({ attempt: 0, hasRejected: false }) } },
            },
          },
          on: {
            'broadcast.received': { actions: handUp },
            'postgres.changed': { actions: handUp },
            'system.received': { actions: handUp },
            'topic.refused': ended,
            'topic.closed': ended,
            'port.broken': {
              target: 'retrying',
              actions: { type: 'keepReason', params: ({ event }) => ({ reason: event.failure.message }) },
            },
            'channel.rejoin': 'preparing',
          },
        },
        retrying: {
          entry: 'planRetry',
          after: { pause: 'preparing' },
          on: {
            // A new socket does not shorten a rate-limit delay.
            'connection.opened': { guard: 'isTooOften', actions: keepConnected(true) },
            'connection.lost': { guard: 'isTooOften', actions: keepConnected(false) },
          },
        },
        denied: {
          description:
            'The server denied the channel. A new token, other options or another join request may help.',
          on: {
            'gate.changed': withNextToken,
            'channel.want': 'preparing',
            'connection.opened': { actions: keepConnected(true) },
            'connection.lost': { actions: keepConnected(false) },
          },
        },
      },
    },
    postgres: {
      description: 'Whether row changes arrive; a join alone does not guarantee it.',
      initial: 'none',
      on: {
        'channel.joined': { guard: 'wantsChanges', target: '.pending' },
        'channel.left': '.none',
        'postgres.subscribed': { target: '.live', actions: reset({ postgresAttempt: 0, reason: undefined }) },
        'postgres.failed': [
          {
            guard: { type: 'isConfigError', params: eventParams },
            target: '.configError',
            actions: keepReason,
          },
          { target: '.retrying', actions: keepReason },
        ],
      },
      states: {
        none: {
          description: 'No row changes are requested, or the topic is not joined.',
          on: { 'postgres.subscribed': {}, 'postgres.failed': {} },
        },
        pending: {
          after: { joinTimeout: { target: 'retrying', actions: because('no response about row changes') } },
        },
        live: {},
        retrying: {
          entry: { type: 'plan', params: { counter: 'postgresAttempt' } },
          after: { pause: { actions: 'rejoin' } },
        },
        configError: { description: 'The requested row changes are invalid; no automatic retry.' },
      },
    },
    presence: {
      description: 'Whether the presence state matches the server.',
      initial: 'away',
      on: {
        'channel.left': '.away',
        'presence.synced': { actions: handUp },
        'presence.track': { actions: [keepMeta, pass] },
        'presence.untrack': { actions: [keepMeta, pass] },
      },
      states: {
        away: {
          on: {
            'channel.joined': 'unsynced',
            'presence.track': { actions: [keepMeta, refuse] },
            'presence.untrack': { actions: [keepMeta, refuse] },
          },
        },
        unsynced: {
          description: 'No presence state from the server yet, or presence is not used.',
          on: { 'presence.synced': { target: 'synced', actions: handUp } },
        },
        synced: {},
      },
    },
    broadcast: {
      description: 'Whether messages can be sent, and whether any is pending.',
      initial: 'shut',
      on: {
        'channel.left': { target: '.shut', actions: 'failSending' },
        'push.settled': { actions: { type: 'settle', params: eventParams } },
      },
      states: {
        shut: { on: { 'channel.joined': 'open', 'broadcast.send': { actions: refuse } } },
        open: { on: { 'broadcast.send': { target: 'sending', actions: pass } } },
        sending: {
          always: { guard: 'isAllSettled', target: 'open' },
          on: { 'broadcast.send': { actions: pass } },
        },
      },
    },
    data: {
      description: 'Whether the rows that the app shows may be stale.',
      initial: 'deciding',
      on: {
        'channel.options': '.deciding',
        'channel.left': { guard: 'wantsChanges', target: '.gap' },
        'postgres.failed': { guard: 'wantsChanges', target: '.gap' },
      },
      states: {
        deciding: { always: [{ guard: 'wantsChanges', target: 'gap' }, { target: 'none' }] },
        none: {},
        gap: { on: { 'postgres.subscribed': { guard: 'isJoined', target: 'resyncing' } } },
        resyncing: {
          description: 'Row changes arrive again; the app reloads what it missed.',
          invoke: { id: 'resync', src: 'resync', input: ({ context }) => ({ topic: context.topic }) },
          on: {
            'resync.done': { target: 'live', actions: reset({ resyncAttempt: 0 }) },
            'resync.failed': 'behind',
          },
          after: { resyncTimeout: 'behind' },
        },
        behind: {
          entry: { type: 'plan', params: { counter: 'resyncAttempt' } },
          after: { pause: 'resyncing' },
        },
        live: {},
      },
    },
  },
})
