import { specify } from '../specify.ts'
import { retriesMachine } from './retries.ts'

export const retriesSpec = specify(retriesMachine, {
  about:
    'Automatic retries of a client’s pages: each after a delay, and all at once when the device is online again.',
  events: {
    'retries.flush': [{}],
    'retry.add': [1, 2].map(id => ({ id, what: 'rows' }) as const),
    'retry.cancel': [1, 2].map(id => ({ id }) as const),
    'retry.due': [1, 2].map(id => ({ id }) as const),
  },
  raised: ['retry.due'],
  ignored: [
    { event: 'retries.flush', states: ['idle'], reason: 'No retry is pending.' },
    { event: 'retry.cancel', states: ['idle'], reason: 'It has already been retried.' },
    { event: 'retry.due', states: ['idle'], reason: 'The requester is gone.' },
  ],
  situation: ({ waiting }) => Object.keys(waiting),
  rests: snapshot => snapshot.matches('idle'),
})
