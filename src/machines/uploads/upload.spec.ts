import { specify, fields } from '../specify.ts'
import { network, bug, file, answers, shared, renew, goodToken } from '../samples.ts'
import { DEFAULT_TIMINGS as timings } from '../timings.ts'
import { uploadMachine } from './upload.ts'

export const uploadSpec = specify(uploadMachine, {
  about:
    'One file upload to a bucket: validated, checked for name conflicts, sent whole or in parts, and resumed after interruptions.',
  ports: {
    checkName: {
      about: 'Checks whether a file of this name exists, and finds a free name.',
      sends: {
        ...shared('port.broken'),
        'name.free': [{}],
        'name.taken': [{ free: 'chart (2).png' }],
        'name.unknown': [{}],
      },
      healthy: 'name.free',
    },
    transfer: {
      about: 'Sends the content stored under `id`: whole, or in resumable parts.',
      sends: {
        ...shared('port.broken'),
        'transfer.done': [{}],
        'transfer.failed': [network, bug].map(failure => ({ failure })),
        'transfer.progressed': [{ sent: 100_000, resumable: true }],
        'transfer.conflicted': [{}],
      },
      healthy: 'transfer.done',
    },
  },
  events: {
    ...shared('environment.changed'),
    'upload.answer': answers.map(answer => ({ answer })),
    'upload.cancel': [{}],
    'upload.granted': [{}],
    'upload.pause': [{}],
    'upload.resume': [{}],
  },
  ignored: [
    {
      event: 'upload.answer',
      states: [
        'checkingName',
        'sending.progressing',
        'sending.stalled',
        'backingOff',
        'waitingForNetwork',
        'paused',
        'ready',
      ],
      reason: 'No question is open.',
    },
    {
      event: 'upload.granted',
      states: [
        'checkingName',
        'sending.progressing',
        'sending.stalled',
        'backingOff',
        'waitingForNetwork',
        'paused',
        'asking',
      ],
      reason: 'It already has a slot, or has released it.',
    },
    {
      event: 'upload.resume',
      states: [
        'checkingName',
        'sending.progressing',
        'sending.stalled',
        'backingOff',
        'waitingForNetwork',
        'ready',
        'asking',
      ],
      reason: 'It is not paused.',
    },
    { event: 'upload.pause', states: ['paused', 'asking'], reason: 'It is already paused.' },
  ],
  inputs: [
    { info: file, timings, online: true, seed: 1 },
    { info: { ...file, limits: { bytes: 1 } }, timings, online: false, seed: 1 },
  ],
  situation: context => [
    ...fields(context, 'online', 'free', 'answer', 'resumable', 'failure'),
    context.attempt > 8,
    context.conflicts > 4,
  ],
  // The user answers prompts and restarts what is stopped; its requests have their own deadlines.
  settling: [
    goodToken,
    { type: 'upload.pause' },
    { type: 'upload.answer', answer: 'replace' },
    { type: 'upload.resume' },
    { type: 'upload.granted' },
  ],
  renew,
  rests: snapshot =>
    snapshot.matches('done') ||
    snapshot.matches('failed') ||
    snapshot.matches('skipped') ||
    snapshot.matches('canceled'),
})
