// One topic: joined with a live token, refusals classified, rejoined with growing delays. Parallel regions
// track row changes, presence, sending, and whether changes were missed.
import { channelSetup, type Counters } from './channel-setup.ts'
import { withEvent } from '../with-event.ts'

const setReasonTo = (reason: string) => ({ type: 'setReason', params: { reason } }) as const
const setReason = withEvent('setReason')
const setGate = withEvent('setGate')
const emitMessage = withEvent('emitMessage')
const setPresenceMeta = withEvent('setPresenceMeta')
const rejectCommand = withEvent('rejectCommand')
const sendCommand = withEvent('sendCommand')
const setConnected = (connected: boolean) => ({ type: 'setConnected', params: { connected } }) as const
const reset = (params: Partial<Counters>) => ({ type: 'reset', params }) as const

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
    pending: [],
  }),
  type: 'parallel',
  states: {
    membership: {
      initial: 'preparing',
      on: {
        'gate.changed': { actions: setGate },
        'connection.opened': { target: '.preparing', actions: setConnected(true) },
        'connection.lost': { target: '.waitingForConnection', actions: withEvent('setConnectionLost') },
        'channel.options': { target: '.preparing', actions: withEvent('setOptions') },
      },
      states: {
        preparing: {
          always: [
            { guard: 'isReady', target: 'attached' },
            { guard: 'isConnected', target: 'awaitingToken' },
            { target: 'waitingForConnection' },
          ],
        },
        waitingForConnection: { description: 'No open socket.' },
        awaitingToken: {
          description: 'Without a live token, a join would be refused or receive no data.',
          entry: 'requestToken',
          on: {
            'gate.changed': {
              guard: withEvent('hasNewCredentials'),
              target: 'preparing',
              actions: setGate,
            },
          },
          after: { tokenTimeout: 'preparing' },
        },
        attached: {
          description: 'One join; exiting this state leaves the topic.',
          initial: 'joining',
          entry: 'setJoinToken',
          exit: 'raiseLeft',
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
                  target: '#channel.membership.backingOff',
                  actions: setReasonTo('no response to the join'),
                },
              },
              on: { 'topic.joined': 'joined' },
            },
            joined: {
              entry: [reset({ reason: undefined }), 'resendPresence', 'raiseJoined'],
              after: { settleAfter: { actions: reset({ attempt: 0, hasRejected: false }) } },
            },
          },
          on: {
            'broadcast.received': { actions: emitMessage },
            'postgres.changed': { actions: emitMessage },
            'system.received': { actions: emitMessage },
            'topic.refused': { target: 'classifying', actions: setReason },
            'topic.closed': { target: 'classifying', actions: setReason },
            'port.broken': {
              target: 'backingOff',
              actions: { type: 'setReason', params: ({ event }) => ({ reason: event.failure.message }) },
            },
            'channel.rejoin': 'preparing',
          },
        },
        classifying: {
          description: 'The server ended the join; its reason decides what follows.',
          always: [
            {
              description: 'The server rejected a token that has been replaced since.',
              guard: 'isReplacedToken',
              target: 'preparing',
            },
            { guard: 'isTokenRefused', target: 'awaitingToken', actions: 'rejectToken' },
            { guard: 'isDenied', target: 'denied' },
            { target: 'backingOff' },
          ],
        },
        backingOff: {
          description: 'The join failed; waits before the next one.',
          entry: { type: 'planRetry', params: { counter: 'attempt' } },
          after: { retryDelay: 'preparing' },
          on: {
            // A new socket does not shorten a rate-limit delay.
            'connection.opened': { guard: 'isRateLimited', actions: setConnected(true) },
            'connection.lost': { guard: 'isRateLimited', actions: setConnected(false) },
          },
        },
        denied: {
          description:
            'The server denied the channel. A new token, other options or another join request may help.',
          on: {
            'gate.changed': {
              guard: withEvent('hasNewCredentials'),
              target: 'preparing',
              actions: setGate,
            },
            'channel.retry': 'preparing',
            'connection.opened': { actions: setConnected(true) },
            'connection.lost': { actions: setConnected(false) },
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
          { guard: withEvent('isConfigError'), target: '.configError', actions: setReason },
          { target: '.backingOff', actions: setReason },
        ],
      },
      states: {
        none: {
          description: 'No row changes are requested, or the topic is not joined.',
          on: { 'postgres.subscribed': {}, 'postgres.failed': {} },
        },
        pending: {
          after: {
            joinTimeout: { target: 'backingOff', actions: setReasonTo('no response about row changes') },
          },
        },
        live: {},
        backingOff: {
          description: 'Row changes failed; waits before it joins again.',
          entry: { type: 'planRetry', params: { counter: 'postgresAttempt' } },
          after: { retryDelay: { actions: 'raiseRejoin' } },
        },
        configError: { description: 'The requested row changes are invalid; no automatic retry.' },
      },
    },
    presence: {
      description: 'Whether the presence state matches the server.',
      initial: 'notJoined',
      on: {
        'channel.left': '.notJoined',
        'presence.synced': { actions: emitMessage },
        'presence.track': { actions: [setPresenceMeta, sendCommand] },
        'presence.untrack': { actions: [setPresenceMeta, sendCommand] },
      },
      states: {
        notJoined: {
          on: {
            'channel.joined': 'unsynced',
            'presence.track': { actions: [setPresenceMeta, rejectCommand] },
            'presence.untrack': { actions: [setPresenceMeta, rejectCommand] },
          },
        },
        unsynced: {
          description: 'No presence state from the server yet, or presence is not used.',
          on: { 'presence.synced': { target: 'synced', actions: emitMessage } },
        },
        synced: {},
      },
    },
    broadcast: {
      description: 'Whether messages can be sent, and whether any is pending.',
      initial: 'closed',
      on: {
        'channel.left': { target: '.closed', actions: 'failPending' },
        'push.settled': { actions: withEvent('settleCommand') },
      },
      states: {
        closed: { on: { 'channel.joined': 'open', 'broadcast.send': { actions: rejectCommand } } },
        open: { on: { 'broadcast.send': { target: 'sending', actions: sendCommand } } },
        sending: {
          always: { guard: 'isAllSettled', target: 'open' },
          on: { 'broadcast.send': { actions: sendCommand } },
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
            'resync.failed': 'backingOff',
          },
          after: { resyncTimeout: 'backingOff' },
        },
        backingOff: {
          description: 'The resync failed; waits before the next one.',
          entry: { type: 'planRetry', params: { counter: 'resyncAttempt' } },
          after: { retryDelay: 'resyncing' },
        },
        live: {},
      },
    },
  },
})
