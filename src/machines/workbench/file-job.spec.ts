import { specify, hasEnded, fields } from '../specify.ts'
import { network, shared } from '../samples.ts'
import { fileJobMachine } from './file-job.ts'

const file = { file: 0, path: 'a', message: 'no' }
const conflict = { file: 1, path: 'b', target: 'c/b' }

export const fileJobSpec = specify(fileJobMachine, {
  about:
    'One deletion, move or copy of files: counted, done in batches, paused to ask about conflicts, retried.',
  ports: {
    countFiles: {
      about: 'Counts the files, including those in folders, and keeps their names by number.',
      sends: {
        ...shared('port.broken'),
        'files.counted': [{ total: 3, bytes: 30 }],
        'files.found': [{ found: 2 }],
        'files.uncounted': [{ failure: network }],
      },
      healthy: 'files.counted',
    },
    processBatch: {
      about: 'Processes each of these files once.',
      sends: {
        ...shared('port.broken'),
        'batch.done': [
          { refused: [], conflicts: [], delayed: [] },
          { refused: [file], conflicts: [], delayed: [] },
          { refused: [], conflicts: [conflict], delayed: [] },
          { refused: [], conflicts: [], delayed: [file], failure: network },
        ],
      },
      healthy: 'batch.done',
      once: true,
    },
  },
  events: {
    'job.retry': [{}],
    'job.answer': (['replace', 'keepBoth', 'skip'] as const).flatMap(answer =>
      [true, false].map(all => ({ answer, all }) as const),
    ),
    'job.start': [{}],
    'job.recount': [{}],
    'job.resume': [{}],
    'job.cancel': [{}],
  },
  ignored: [
    {
      event: 'job.recount',
      states: ['ready', 'running.*', 'backingOff', 'asking', 'ended'],
      reason: 'The files are already counted.',
    },
    {
      event: 'job.start',
      states: ['counting', 'uncounted', 'running.*', 'backingOff', 'asking', 'ended'],
      reason: 'It has already begun, or its size is not known yet.',
    },
    {
      event: 'job.cancel',
      states: ['counting', 'uncounted', 'ready', 'running.canceling', 'ended'],
      reason: 'Nothing is running, or it is already stopping.',
    },
    {
      event: 'job.answer',
      states: ['counting', 'uncounted', 'ready', 'running.*', 'backingOff', 'ended'],
      reason: 'No question is open.',
    },
    {
      event: 'job.retry',
      states: ['counting', 'uncounted', 'ready', 'running.*', 'backingOff', 'asking'],
      reason: 'It has not ended.',
    },
    {
      event: 'job.resume',
      states: ['counting', 'uncounted', 'ready', 'running.*', 'asking', 'ended'],
      reason: 'It is not paused.',
    },
  ],
  inputs: [{ kind: 'move', bucket: 'charts', size: 2, seed: 1 }],
  situation: context => [
    ...fields(context, 'retries', 'conflicts', 'answerForAll', 'refused', 'failure'),
    context.next >= context.total,
    context.attempt > 7,
  ],
  settling: [
    { type: 'job.recount' },
    { type: 'job.start' },
    { type: 'job.answer', answer: 'skip', all: true },
    { type: 'job.retry' },
  ],
  // What needs a confirmation or an answer waits for its user.
  rests: snapshot => hasEnded(snapshot) || snapshot.matches('ready') || snapshot.matches('asking'),
  goal: hasEnded,
})
