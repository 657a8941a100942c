import { specify } from '../specify.ts'
import { consoleJobMachine } from './console-job.ts'

export const consoleJobSpec = specify(consoleJobMachine, {
  about: 'A job that the user starts in the console: it runs, may be stopped or canceled, and ends or fails.',
  ports: {
    runJob: {
      about: 'Runs it, in a worker or in the page; the result is in the store of jobs.',
      sends: {
        'job.progressed': [{ progress: { share: 0.5, words: '500 of 1,000 events' } }],
        'job.finished': [{}],
        'job.failed': [{ message: 'The worker could not be loaded.' }],
      },
      healthy: 'job.finished',
      once: true,
      progress: ['job.progressed'],
    },
  },
  events: { 'job.requested': [{}], 'job.stop': [{}], 'job.canceled': [{}] },
  ignored: [
    {
      event: 'job.stop',
      states: ['idle', 'running.stopping', 'done', 'failed', 'canceled'],
      reason: 'It does not run, or stops already.',
    },
    { event: 'job.canceled', states: ['idle', 'canceled'], reason: 'It does not run.' },
  ],
  rests: snapshot => !snapshot.matches('running'),
})
