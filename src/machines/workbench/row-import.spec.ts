import { specify, hasEnded, briefly } from '../specify.ts'
import { network, shared, invalid } from '../samples.ts'
import { rowImportMachine } from './row-import.ts'

export const rowImportSpec = specify(rowImportMachine, {
  about:
    'One import of rows into a table: sent batch by batch; a rejected batch is halved until the bad rows are found.',
  ports: {
    sendBatch: {
      about: 'Sends the rows of a range.',
      sends: {
        ...shared('port.broken'),
        'batch.delayed': [
          { failure: network },
          { failure: { kind: 'rateLimit', retryAfter: 7, message: 'Too many.' } },
        ],
        'batch.lost': [{ failure: network }],
        'batch.refused': [
          { failure: invalid, hopeless: true, forbidden: true },
          { failure: invalid, hopeless: false, forbidden: true },
          { failure: invalid, hopeless: false, forbidden: false },
        ],
        'batch.written': [
          { written: 2, skipped: 0, unreturned: 0 },
          { written: 1, skipped: 1, unreturned: 1 },
        ],
      },
      healthy: 'batch.written',
      once: true,
    },
  },
  events: {
    'import.retry': [{}],
    'import.cancel': [{}],
    'import.skip': [{}],
    'import.pause': [{}],
    'import.resume': [{}],
  },
  ignored: [
    {
      event: 'import.retry',
      states: ['sending.*', 'backingOff', 'paused'],
      reason: 'No batch is in doubt.',
    },
    {
      event: 'import.skip',
      states: ['sending.*', 'backingOff', 'paused'],
      reason: 'No batch is in doubt.',
    },
    { event: 'import.pause', states: ['unconfirmed', 'paused'], reason: 'It is already paused.' },
    {
      event: 'import.resume',
      states: ['unconfirmed'],
      reason: 'The user must first decide whether to resend the batch.',
    },
  ],
  inputs: [
    { batches: [[0, 12]], repeatable: false, whole: false, returning: true, seed: 1 },
    { batches: [[0, 2]], repeatable: true, whole: false, returning: false, seed: 1 },
    { batches: [[0, 2]], repeatable: false, whole: true, returning: true, seed: 1 },
  ],
  randomInput: {
    batches: [
      [0, 4],
      [4, 9],
    ],
    repeatable: false,
    whole: false,
    returning: true,
    seed: 1,
  },
  situation: ({ queue, request, returning, sameFailures, warned, written }) => [
    queue,
    request,
    returning,
    sameFailures >= 10,
    warned,
    briefly(written),
  ],
  // The user resolves rows in doubt, and resumes as often as it stops.
  settling: [{ type: 'import.retry' }, { type: 'import.resume' }],
  rests: hasEnded,
})
