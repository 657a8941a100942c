import { specify, fields } from '../specify.ts'
import { network, bug, gate, firstGate, shared, renew, goodToken, open, info } from '../samples.ts'
import { DEFAULT_TIMINGS as timings } from '../timings.ts'
import { requestMachine } from './request.ts'

export const requestSpec = specify(requestMachine, {
  about:
    'One HTTP request: waits for permission, is sent, re-authorized once, retried where safe, and settled.',
  ports: {
    send: {
      about:
        "Sends the HTTP call stored under `id`, with the owner's token or the API key alone; after a streaming response it runs until the body has ended.",
      sends: {
        ...shared('port.broken'),
        'body.ended': [{}],
        'body.failed': [{ failure: network }],
        'send.answered': [
          ...[200, 401, 503].map(status => ({ status }) as const),
          { status: 429, retryAfter: 1, waited: 0 },
          { status: 429, retryAfter: 900, waited: 0 },
          { status: 200, streaming: true },
          { status: 401, refusal: 'keyRejected' },
          { status: 401, refusal: 'tokenExpired' },
        ],
        'send.failed': [network, bug].map(failure => ({ failure })),
      },
      healthy: 'send.answered',
      replies: { 'body.check': () => ({ type: 'body.ended' }) },
    },
  },
  events: {
    ...shared('environment.changed', 'gate.changed'),
    'request.abort': [{}, { reason: 'superseded' }],
    'request.granted': [{}],
  },
  ignored: [
    {
      event: 'request.granted',
      states: ['awaitingToken', 'exchanging.*', 'reauthorizing', 'backingOff'],
      reason:
        'Slots are granted to queued requests; a request that left the queue releases its slot when it reports its state.',
    },
  ],
  inputs: [
    { info, timings, gate, online: true, granted: false, seed: 1 },
    { info: { ...info, unbounded: true }, timings, gate, online: true, granted: false, seed: 1 },
  ],
  randomInput: { info, timings, gate: firstGate, online: true, granted: false, seed: 1 },
  situation: context => [
    ...fields(context, 'identity', 'rejected', 'granted', 'online', 'failure'),
    context.attempt > 2,
    context.gate,
  ],
  settling: [goodToken, open, { type: 'request.granted' }],
  renew,
  rests: snapshot => snapshot.matches('answered') || snapshot.matches('failed'),
})
