// One console: the file that it opens or shows, playback, saving, and the question before unsaved notes are lost. The
// place, the trace and the files themselves are not part of it: it knows the numbers of files.
import { assign, setup } from 'xstate'
import { port } from '../port.ts'
import { withEvent } from '../with-event.ts'

/** A file, by its number in the console. */
export interface FileNumber {
  readonly file: number
  /** Whether it is shown at the place in the location; other files are shown at their end. */
  readonly isPlaced: boolean
}

/** The displayed reason. */
export interface WithMessage {
  readonly message: string
}

/** An event of `openFile`. */
export type OpenFileEvent =
  /** Its first events can be shown. */
  { readonly type: 'file.opened' } | ({ readonly type: 'file.refused' } & WithMessage)

/** An event of `showFile`. */
export interface ShowFileEvent {
  readonly type: 'file.read'
}

/** An event of `playTrace`. */
export interface PlayEvent {
  readonly type: 'playback.ended'
}

/** An event of `saveNotes`. */
export interface NotesEvent {
  readonly type: 'notes.saved' | 'notes.failed'
}

/** An event of `leaveTrace`. */
export interface LeaveEvent {
  readonly type: 'trace.left'
}

/** An event of `saveRecording`. */
export type SaveEvent =
  { readonly type: 'recording.saved' } | ({ readonly type: 'recording.failed' } & WithMessage)

export type ConsoleViewEvent =
  | OpenFileEvent
  | ShowFileEvent
  | PlayEvent
  | NotesEvent
  | LeaveEvent
  | SaveEvent
  | ({ readonly type: 'file.requested' } & FileNumber)
  | { readonly type: 'file.canceled' | 'file.closed' }
  /** The user has read why a file was not opened, or the recording not saved. */
  | { readonly type: 'refusal.dismissed' | 'failure.dismissed' }
  | { readonly type: 'playback.started' | 'playback.stopped' }
  | { readonly type: 'speed.chosen'; readonly speed: number }
  | { readonly type: 'recording.save' }
  /** Whether notes would be lost with the shown file. */
  | { readonly type: 'notes.changed'; readonly isUnsaved: boolean }
  /** Replaces the shown trace by a file, the recording, a sandbox, or nothing. */
  | { readonly type: 'leave.requested' | 'leave.confirmed' | 'leave.declined' | 'leave.save' }

export interface ConsoleViewContext {
  /** The file that is opened, was refused, or was opened last. */
  readonly opening: FileNumber
  /** The shown file; undefined for the recording. */
  readonly openFile: FileNumber | undefined
  readonly refusal: string
  readonly failure: string
  readonly speed: number
  readonly isUnsaved: boolean
}

/** The port: reads a file until its first events can be shown. */
const openFile = port<OpenFileEvent, FileNumber>('openFile')
/** The port: reads the rest of the shown file, and serves its records. */
const showFile = port<ShowFileEvent, FileNumber>('showFile')
/** The port: moves the moment frame by frame. */
const playTrace = port<PlayEvent, { readonly speed: number }>('playTrace')
const saveNotes = port<NotesEvent>('saveNotes')
/** The port: does what the user wanted to leave the trace for. */
const leaveTrace = port<LeaveEvent>('leaveTrace')
const saveRecording = port<SaveEvent>('saveRecording')

const openRequested = { target: 'reading', actions: withEvent('setOpening') } as const

const NO_FILE: FileNumber = { file: -1, isPlaced: false }

export const consoleViewMachine = setup({
  types: { context: {} as ConsoleViewContext, events: {} as ConsoleViewEvent },
  actors: { openFile, showFile, playTrace, saveNotes, leaveTrace, saveRecording },
  guards: { hasUnsavedNotes: ({ context }) => context.isUnsaved },
  actions: {
    setOpening: assign((_, { file, isPlaced }: FileNumber) => ({ opening: { file, isPlaced } })),
    setShown: assign({ openFile: ({ context }) => context.opening }),
    clearShown: assign({ openFile: undefined }),
    setRefusal: assign((_, { message }: WithMessage) => ({ refusal: message })),
    setFailure: assign((_, { message }: WithMessage) => ({ failure: message })),
    setSpeed: assign((_, { speed }: { readonly speed: number }) => ({ speed })),
    setUnsaved: assign((_, { isUnsaved }: { readonly isUnsaved: boolean }) => ({ isUnsaved })),
  },
}).createMachine({
  id: 'consoleView',
  context: { opening: NO_FILE, openFile: undefined, refusal: '', failure: '', speed: 1, isUnsaved: false },
  type: 'parallel',
  states: {
    opening: {
      description: 'A file that is opened replaces the shown trace only once it has something to show.',
      initial: 'idle',
      states: {
        idle: { on: { 'file.requested': openRequested } },
        reading: {
          invoke: { id: 'openFile', src: 'openFile', input: ({ context }) => context.opening },
          on: {
            'file.requested': { ...openRequested, reenter: true },
            'file.opened': 'idle',
            'file.refused': { target: 'refused', actions: withEvent('setRefusal') },
            'file.canceled': 'idle',
            'file.closed': 'idle',
          },
        },
        refused: {
          description: 'The reason is shown until it is dismissed; the shown trace stays.',
          on: {
            'file.requested': openRequested,
            'refusal.dismissed': 'idle',
            'file.closed': 'idle',
          },
        },
      },
    },
    shown: {
      initial: 'recording',
      states: {
        recording: { on: { 'file.opened': { target: 'file', actions: 'setShown' } } },
        file: {
          invoke: {
            id: 'showFile',
            src: 'showFile',
            input: ({ context: { openFile = NO_FILE } }) => openFile,
          },
          on: {
            'file.opened': { target: 'file', reenter: true, actions: 'setShown' },
            'file.closed': { target: 'recording', actions: 'clearShown' },
          },
          initial: 'partial',
          states: {
            partial: {
              description: 'The rest is read while it is shown.',
              on: { 'file.read': 'whole' },
            },
            whole: {},
          },
        },
      },
    },
    playback: {
      initial: 'stopped',
      states: {
        stopped: {
          on: {
            'playback.started': 'playing',
            'speed.chosen': { actions: withEvent('setSpeed') },
          },
        },
        playing: {
          description:
            'Moves the moment until the end, of what is read of a file as well, or until it is stopped.',
          invoke: {
            id: 'playTrace',
            src: 'playTrace',
            input: ({ context: { speed } }) => ({ speed }),
          },
          on: {
            'playback.stopped': 'stopped',
            'playback.ended': 'stopped',
            'speed.chosen': { target: 'playing', reenter: true, actions: withEvent('setSpeed') },
            'file.opened': 'stopped',
            'file.closed': 'stopped',
          },
        },
      },
    },
    leaving: {
      description: 'Notes in a file exist only here until it is saved with them.',
      initial: 'idle',
      on: { 'notes.changed': { actions: withEvent('setUnsaved') } },
      states: {
        idle: {
          on: { 'leave.requested': [{ guard: 'hasUnsavedNotes', target: 'asking' }, { target: 'going' }] },
        },
        asking: {
          on: { 'leave.confirmed': 'going', 'leave.declined': 'idle', 'leave.save': 'saving' },
        },
        saving: {
          invoke: { id: 'saveNotes', src: 'saveNotes' },
          on: { 'notes.saved': 'going', 'notes.failed': 'idle', 'leave.declined': 'idle' },
        },
        going: {
          invoke: { id: 'leaveTrace', src: 'leaveTrace' },
          on: { 'trace.left': 'idle' },
        },
      },
    },
    saving: {
      initial: 'idle',
      states: {
        idle: { on: { 'recording.save': 'saving' } },
        saving: {
          invoke: { id: 'saveRecording', src: 'saveRecording' },
          on: {
            'recording.saved': 'idle',
            'recording.failed': { target: 'failed', actions: withEvent('setFailure') },
          },
        },
        failed: { on: { 'recording.save': 'saving', 'failure.dismissed': 'idle' } },
      },
    },
  },
})
