import { specify } from '../specify.ts'
import { consoleViewMachine } from './console-view.ts'

export const consoleViewSpec = specify(consoleViewMachine, {
  about:
    'One console: the file that it opens or shows, playback, saving, and the question before notes are lost.',
  ports: {
    openFile: {
      about:
        'Reads a file until its first events can be shown; its reader ends with the state, unless it is shown.',
      sends: { 'file.opened': [{}], 'file.refused': [{ message: 'Not a trace.' }] },
      healthy: 'file.opened',
      once: true,
    },
    showFile: {
      about: 'Reads the rest of the shown file, and serves its records.',
      sends: { 'file.read': [{}] },
      healthy: 'file.read',
      once: true,
    },
    playTrace: {
      about: 'Moves the moment frame by frame; waits for events of a file that are not read yet.',
      sends: { 'playback.ended': [{}] },
      healthy: 'playback.ended',
      once: true,
    },
    saveNotes: {
      about: 'Saves the shown file with its notes.',
      sends: { 'notes.saved': [{}], 'notes.failed': [{}] },
      healthy: 'notes.saved',
      once: true,
    },
    leaveTrace: {
      about: 'Does what the trace is left for: opens a file, closes it or the console, or enters a sandbox.',
      sends: { 'trace.left': [{}] },
      healthy: 'trace.left',
      once: true,
    },
    saveRecording: {
      about: 'Saves the recording so far as a file.',
      sends: { 'recording.saved': [{}], 'recording.failed': [{ message: 'The app does not respond.' }] },
      healthy: 'recording.saved',
      once: true,
    },
  },
  events: {
    'file.requested': [
      { file: 0, isPlaced: true },
      { file: 1, isPlaced: false },
    ],
    'file.canceled': [{}],
    'file.closed': [{}],
    'refusal.dismissed': [{}],
    'failure.dismissed': [{}],
    'playback.started': [{}],
    'playback.stopped': [{}],
    'speed.chosen': [{ speed: 10 }],
    'recording.save': [{}],
    'notes.changed': [{ isUnsaved: true }, { isUnsaved: false }],
    'leave.requested': [{}],
    'leave.confirmed': [{}],
    'leave.declined': [{}],
    'leave.save': [{}],
  },
  ignored: [
    { event: 'file.read', states: ['shown.file.whole'], reason: 'It is read once.' },
    {
      event: 'file.canceled',
      states: ['opening.idle', 'opening.refused'],
      reason: 'No file is being opened.',
    },
    {
      event: 'refusal.dismissed',
      states: ['opening.idle', 'opening.reading'],
      reason: 'No refusal is shown.',
    },
    { event: 'failure.dismissed', states: ['saving.idle', 'saving.saving'], reason: 'No failure is shown.' },
    { event: 'recording.save', states: ['saving.saving'], reason: 'It is being saved.' },
    { event: 'playback.started', states: ['playback.playing'], reason: 'It plays.' },
    { event: 'playback.stopped', states: ['playback.stopped'], reason: 'It does not play.' },
    {
      event: 'leave.requested',
      states: ['leaving.asking', 'leaving.saving', 'leaving.going'],
      reason: 'The answer is for what was requested last.',
    },
    {
      event: 'leave.confirmed',
      states: ['leaving.idle', 'leaving.saving', 'leaving.going'],
      reason: 'Answered.',
    },
    { event: 'leave.declined', states: ['leaving.idle', 'leaving.going'], reason: 'Nothing to decline.' },
    { event: 'leave.save', states: ['leaving.idle', 'leaving.saving', 'leaving.going'], reason: 'Answered.' },
  ],
  situation: ({ isUnsaved }) => isUnsaved,
  settling: [{ type: 'leave.declined' }],
  rests: snapshot =>
    !snapshot.matches({ opening: 'reading' }) &&
    !snapshot.matches({ shown: { file: 'partial' } }) &&
    snapshot.matches({ playback: 'stopped', leaving: 'idle' }) &&
    !snapshot.matches({ saving: 'saving' }),
})
