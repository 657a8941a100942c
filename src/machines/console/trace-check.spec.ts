import { specify } from '../specify.ts'
import { traceCheckMachine } from './trace-check.ts'

const failed = { 'check.failed': [{ message: 'The worker could not be loaded.' }] }

export const traceCheckSpec = specify(traceCheckMachine, {
  about: 'The check of a trace in the console: as it grows, or in a job that may wait for the user.',
  ports: {
    watchTrace: {
      about: 'Checks the events as they are recorded, and reports each time that it has results.',
      sends: { 'trace.watched': [{}], ...failed },
      healthy: 'trace.watched',
    },
    readTrace: {
      about: 'Waits until the file is read, and decides whether the user must start the job.',
      sends: {
        'trace.read': [{ reason: undefined }, { reason: 'Checking this many steps takes a while.' }],
        ...failed,
      },
      healthy: 'trace.read',
      once: true,
    },
    runCheck: {
      about: 'Checks the whole trace in a worker, or in the page if only the page has its machines.',
      sends: {
        'job.progressed': [{ progress: { share: 0.5, words: '500 of 1,000 events' } }],
        'job.finished': [{}],
        ...failed,
      },
      healthy: 'job.finished',
      once: true,
      progress: ['job.progressed'],
    },
  },
  events: { 'check.requested': [{}], 'check.canceled': [{}] },
  ignored: [
    { event: 'trace.watched', states: ['growing.watching'], reason: 'The results are not part of it.' },
    {
      event: 'check.requested',
      states: ['growing.*', 'reading', 'checking'],
      reason: 'It runs, or starts automatically.',
    },
    { event: 'check.canceled', states: ['growing.*', 'reading', 'asking'], reason: 'No job runs.' },
  ],
  inputs: [{ from: 'none' }, { from: 'memory' }, { from: 'file' }],
  randomInput: { from: 'file' },
  settling: [{ type: 'check.requested' }],
  rests: snapshot => snapshot.status === 'done' || snapshot.matches('growing') || snapshot.matches('asking'),
})
