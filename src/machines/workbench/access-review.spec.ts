import { specify, hasEnded } from '../specify.ts'
import { network, shared, invalid } from '../samples.ts'
import { accessReviewMachine } from './access-review.ts'

export const accessReviewSpec = specify(accessReviewMachine, {
  about: 'One access review: tries what each account may read, write and call, one resource after the other.',
  ports: {
    reviewStep: {
      about:
        'Does the next step. Writes of a step are rolled back by the backend, so that it can be repeated.',
      sends: {
        ...shared('port.broken'),
        'step.done': [
          { done: 9, total: 9 },
          { done: 1, total: 9 },
        ],
        'step.failed': [network, invalid].map(failure => ({ failure }) as const),
      },
      healthy: 'step.done',
      once: true,
    },
  },
  events: { 'review.cancel': [{}], 'review.retry': [{}] },
  ignored: [{ event: 'review.retry', states: ['reviewing'], reason: 'It is already running.' }],
  inputs: [{ seed: 1 }],
  situation: ['done', 'total', 'failure', 'attempt'],
  settling: [{ type: 'review.retry' }],
  rests: hasEnded,
})
