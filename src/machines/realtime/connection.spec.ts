import { specify, fields } from '../specify.ts'
import { shared, renew, goodToken, open } from '../samples.ts'
import { DEFAULT_TIMINGS as timings } from '../timings.ts'
import { connectionMachine } from './connection.ts'
import { tokenOf } from '../session/gate.ts'

const UNCONNECTED = [
  'awaitingToken',
  'reauthBeforeReconnect',
  'classifying',
  'backingOff',
  'denied',
  'suspended',
]

/** All states with an open socket. */
const CONNECTED = ['open', 'hidden', 'lingering', 'probing'].map(state => `attached.${state}`)

export const connectionSpec = specify(connectionMachine, {
  about: 'The realtime socket: opened when needed and a fresh token is available, monitored, and reopened.',
  ports: {
    socket: {
      about: 'One realtime socket: opens on start, closes on stop.',
      sends: {
        ...shared('port.broken'),
        'socket.alive': [{}],
        'socket.closed': [{ code: 1006, reason: '' }],
        'socket.opened': [{}],
        'socket.silent': [{}],
        'socket.stale': [{}],
      },
      healthy: 'socket.opened',
      replies: { 'socket.probe': () => ({ type: 'socket.alive' }) },
    },
    probeSocket: {
      about: 'Finds out over HTTP why a socket never opened; sockets give no reason.',
      sends: {
        ...shared('port.broken'),
        'probe.answered': [
          ...[200, 401, 403, 404, 429, 500].map(status => ({ status }) as const),
          { status: 401, refusal: 'keyRejected' },
        ],
        'probe.failed': [{}],
      },
      healthy: 'probe.failed',
    },
  },
  events: {
    ...shared('environment.changed', 'environment.woke', 'gate.changed'),
    'connection.close': [{}],
    'connection.open': [{}],
    'connection.release': [{}],
  },
  ignored: [
    {
      event: 'environment.woke',
      states: ['idle', ...UNCONNECTED, 'attached.connecting', 'attached.probing'],
      reason: 'There is no open socket to check.',
    },
    {
      event: 'connection.open',
      states: [...UNCONNECTED, ...['connecting', 'open', 'hidden', 'probing'].map(at => `attached.${at}`)],
      reason: 'The connection is already requested.',
    },
    {
      event: 'socket.alive',
      states: ['attached.connecting', 'attached.open', 'attached.hidden', 'attached.lingering'],
      reason: 'Responds to a probe that is no longer pending.',
    },
    {
      event: 'socket.silent',
      states: ['attached.connecting', 'attached.probing'],
      reason: 'A deadline for this socket is already running.',
    },
    { event: 'socket.opened', states: CONNECTED, reason: 'A socket opens once.' },
    { event: 'socket.stale', states: CONNECTED, reason: 'Only sent instead of opening.' },
  ],
  inputs: [{ timings, seed: 1 }],
  situation: context => [
    ...fields(context, 'online', 'visible', 'frozen'),
    context.reason === 'hidden',
    tokenOf(context.gate),
  ],
  settling: [goodToken, open],
  renew,
  rests: snapshot => snapshot.matches('idle') || snapshot.matches({ attached: 'open' }),
  goal: snapshot => snapshot.matches({ attached: 'open' }),
})
