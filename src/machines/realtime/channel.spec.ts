import { specify, fields } from '../specify.ts'
import { gate, firstGate, shared, renew, awaits, settles, open } from '../samples.ts'
import { DEFAULT_TIMINGS as timings } from '../timings.ts'
import { channelMachine } from './channel.ts'
import { tokenOf } from '../session/gate.ts'

export const channelSpec = specify(channelMachine, {
  about: 'One topic: its join, row changes, presence, and whether the data that the app shows may be stale.',
  ports: {
    topic: {
      about: 'One join of one topic on the open socket: joins on start, leaves on stop.',
      sends: {
        ...shared('port.broken'),
        'broadcast.received': [{ event: 'hail', payload: {} }],
        'postgres.changed': [
          {
            wanted: { event: '*', schema: 'public' },
            change: {
              type: 'INSERT',
              schema: 'public',
              table: 'vessels',
              record: {},
              old: {},
              commitTimestamp: '',
            },
          },
        ],
        'postgres.failed': [
          { reason: 'the database is starting up' },
          { reason: 'Unable to subscribe to changes with given parameters' },
        ],
        'postgres.subscribed': [{}],
        'presence.synced': [{ state: {} }],
        'push.settled': [{ id: 'm' }],
        'system.received': [{ extension: 'system', status: 'ok', message: '' }],
        'topic.closed': [{ reason: 'closed by the server' }],
        'topic.joined': [{}],
        'topic.refused': ['Unauthorized: no', 'TooManyConnections', 'InvalidJWTToken: Token has expired'].map(
          reason => ({ reason }),
        ),
      },
      healthy: ['topic.joined', 'postgres.subscribed'],
      replies: {
        'broadcast.send': ({ id }) => ({ type: 'push.settled', id: id as string }),
        'presence.track': ({ id }) => ({ type: 'push.settled', id: id as string }),
      },
    },
    resync: {
      about:
        'Makes the app reload the rows that it shows of a topic. Never sends `port.broken`, which the channel would attribute to its topic.',
      sends: { 'resync.done': [{}], 'resync.failed': [{ reason: 'planted' }] },
      healthy: 'resync.done',
    },
  },
  events: {
    ...shared('connection.lost', 'connection.opened', 'gate.changed'),
    'broadcast.send': [{ id: 'm', event: 'hail', payload: {} }],
    'channel.joined': [{}],
    'channel.left': [{}],
    'channel.options': [
      { options: {} },
      { options: { postgresChanges: [{ event: '*', schema: 'public' }] } },
    ],
    'channel.rejoin': [{}],
    'channel.retry': [{}],
    'presence.track': [{ id: 'p', meta: {} }],
    'presence.untrack': [{}],
  },
  raised: ['channel.joined', 'channel.left', 'channel.rejoin'],
  ignored: [
    {
      event: 'channel.rejoin',
      states: [
        'membership.waitingForConnection',
        'membership.awaitingToken',
        'membership.backingOff',
        'membership.denied',
      ],
      reason: 'The next join is already scheduled, or was refused permanently.',
    },
    {
      event: 'channel.retry',
      states: [
        'membership.waitingForConnection',
        'membership.awaitingToken',
        'membership.attached.*',
        'membership.backingOff',
      ],
      reason: 'The topic is joined, or a join is pending.',
    },
    { event: 'topic.joined', states: ['membership.attached.joined'], reason: 'A topic is joined once.' },
  ],
  inputs: [{ timings, topic: 'bridge', options: {}, connected: false, gate, seed: 1 }],
  randomInput: { timings, topic: 'bridge', options: {}, connected: false, gate: firstGate, seed: 1 },
  situation: context => [
    ...fields(context, 'connected', 'hasRejected'),
    Object.keys(context.options).length > 0,
    tokenOf(context.gate),
  ],
  settling: [{ type: 'connection.opened' }, open],
  renew,
  awaits,
  settles,
  rests: snapshot =>
    snapshot.matches({ membership: { attached: 'joined' }, data: 'none' }) ||
    snapshot.matches({ membership: { attached: 'joined' }, data: 'live' }),
  goal: snapshot => snapshot.matches({ membership: { attached: 'joined' } }),
})
