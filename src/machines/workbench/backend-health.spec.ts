import { specify } from '../specify.ts'
import { backendHealthMachine } from './backend-health.ts'

export const backendHealthSpec = specify(backendHealthMachine, {
  about:
    'Whether a client’s backend responds: suspected from its calls, confirmed by a check, and checked again until it responds.',
  ports: {
    checkBackend: {
      about: 'Sends one small call within the time limit, and reports the result.',
      sends: {
        'check.answered': [
          { at: 5, status: 200 },
          { at: 5, status: 502 },
          { at: 5, status: 503, retryAfter: 30 },
        ],
        'check.failed': [{ at: 6 }],
      },
      healthy: 'check.answered',
      once: true,
    },
  },
  events: {
    'backend.answered': [200, 404, 503].map(status => ({ at: 2, status }) as const),
    'backend.called': [{ at: 1 }],
    'backend.check': [{ at: 4 }],
    'backend.keyChanged': [
      { rejected: true, at: 0 },
      { rejected: false, at: 0 },
    ],
    'backend.silent': [{ at: 3 }],
    'device.changed': [true, false].map(online => ({ online, at: 7 }) as const),
  },
  ignored: [
    ...(['backend.called', 'backend.answered', 'backend.check'] as const).map(event => ({
      event,
      states: ['keyRejected'],
      reason: 'The client checks the key; the backend responds.',
    })),
    { event: 'backend.called', states: ['responding.awaiting'], reason: 'An earlier call already waits.' },
    { event: 'backend.called', states: ['checking', 'troubled.*'], reason: 'The check decides.' },
    { event: 'backend.silent', states: ['checking', 'troubled.*'], reason: 'The check decides.' },
    {
      event: 'backend.check',
      states: ['checking', 'troubled.attempt.checking'],
      reason: 'A check is already running.',
    },
    {
      event: 'backend.called',
      states: ['offline'],
      reason: 'Without a network, calls say nothing about the backend.',
    },
    { event: 'backend.answered', states: ['offline'], reason: 'Only the return of the network ends it.' },
    { event: 'backend.silent', states: ['offline'], reason: 'The network is the reason.' },
    { event: 'backend.check', states: ['offline'], reason: 'It would fail.' },
  ],
  situation: ['status', 'delay', 'keyRejectedAt'],
  settling: [{ type: 'backend.keyChanged', rejected: false, at: 0 }],
  rests: snapshot => snapshot.matches('responding') || snapshot.matches('offline'),
  goal: snapshot =>
    snapshot.matches('responding') || snapshot.matches('keyRejected') || snapshot.matches('offline'),
})
