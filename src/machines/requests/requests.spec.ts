import { specify } from '../specify.ts'
import { awaits, goodToken, open, renew, settles, shared } from '../samples.ts'
import { DEFAULT_TIMINGS as timings } from '../timings.ts'
import { requestsMachine } from './requests.ts'
import { requestSpec } from './request.spec.ts'

export const requestsSpec = specify(requestsMachine, {
  about: 'All requests: limits concurrency, starts the most urgent first, and frees a slot when one settles.',
  children: { request: { spec: requestSpec } },
  events: {
    ...shared(
      'environment.changed',
      'gate.changed',
      'key.accepted',
      'key.refused',
      'request.abort',
      'request.receiving',
      'request.settled',
      'request.start',
      'token.rejected',
    ),
    'queue.next': [{}],
    'request.queued': [{ id: '1' }],
    'request.slow': [{ id: '1' }],
    'request.waiting': [{ id: '1' }],
  },
  raised: ['queue.next'],
  randomEvents: ['request.start', 'request.abort', 'gate.changed', 'environment.changed'],
  inputs: [{ timings, seed: 1 }],
  situation: ({ gate, requests, online }) => [
    gate.kind,
    Object.values(requests).map(({ phase }) => phase),
    online,
  ],
  settling: [goodToken, open],
  renew,
  awaits,
  settles,
  rests: ({ context }) => Object.keys(context.requests).length === 0,
})
