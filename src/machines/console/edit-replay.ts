// Edit and replay: a saved module with machines waits until the recording was driven through it, and the user applies it.
// The modules, the drives and their results are in the store of the page.
import { assign, setup } from 'xstate'
import { port } from '../port.ts'
import { withEvent } from '../with-event.ts'

/** A saved module. */
export interface SavedModule {
  /** Its path in the project. */
  readonly file: string
  /** Its path in source positions; absent outside of the project. */
  readonly source?: string
  /** URL of the new version. */
  readonly url: string
  /** URL of the version that the page has loaded. */
  readonly liveUrl: string
  /** Whether the usual update waits; otherwise it happens, and the new version cannot be applied. */
  readonly isHeld: boolean
  /** Why the new version cannot be loaded, if the development server knows. */
  readonly error?: string
}

/** How many inputs of all recordings were repeated. */
export interface DriveProgress {
  readonly count: number
  readonly total: number
}

interface Refused {
  readonly type: 'edit.refused'
  readonly message: string
  /** Whether only the usual update replaces everything that changed. */
  readonly needsUpdate: boolean
}

interface Progressed {
  readonly type: 'drive.progressed'
  readonly progress: DriveProgress
}

/** An event of `loadEdit`. `concerned` is the number of recorded systems with machines of the module. */
export type LoadEditEvent = { readonly type: 'edit.loaded'; readonly concerned: number } | Refused

/** An event of `driveEdit`. */
export type DriveEditEvent = Progressed | { readonly type: 'drive.finished' } | Refused

/** An event of `applyEdit`. */
export type ApplyEditEvent = Progressed | { readonly type: 'edit.applied' } | Refused

/** An event of `requestUpdate`. */
export interface UpdateSent {
  readonly type: 'update.sent'
}

export type EditReplayEvent =
  | LoadEditEvent
  | DriveEditEvent
  | ApplyEditEvent
  | UpdateSent
  /** Replaces an earlier one. */
  | { readonly type: 'module.saved'; readonly saved: SavedModule }
  | { readonly type: 'apply.requested' }
  /** The usual update instead. */
  | { readonly type: 'update.requested' }
  | { readonly type: 'edit.dismissed' }

export interface EditReplayContext {
  readonly saved: SavedModule
  readonly progress: DriveProgress
  /** Why the new version cannot be driven or applied. */
  readonly message: string
}

const loadEdit = port<LoadEditEvent, SavedModule>('loadEdit')
const driveEdit = port<DriveEditEvent>('driveEdit')
const applyEdit = port<ApplyEditEvent>('applyEdit')
const requestUpdate = port<UpdateSent, SavedModule>('requestUpdate')

const NONE: SavedModule = { file: '', url: '', liveUrl: '', isHeld: false }
const START: DriveProgress = { count: 0, total: 0 }

export const editReplayMachine = setup({
  types: { context: {} as EditReplayContext, events: {} as EditReplayEvent },
  actors: { loadEdit, driveEdit, applyEdit, requestUpdate },
  guards: {
    mustUpdate: ({ context }, { needsUpdate }: { readonly needsUpdate: boolean }) =>
      needsUpdate && context.saved.isHeld,
    isHeld: ({ context }) => context.saved.isHeld,
    isUnusedAndHeld: ({ context }, { concerned }: { readonly concerned: number }) =>
      concerned === 0 && context.saved.isHeld,
    isUnused: (_, { concerned }: { readonly concerned: number }) => concerned === 0,
  },
  actions: {
    setSaved: assign((_, { saved }: { readonly saved: SavedModule }) => ({ saved, progress: START })),
    setProgress: assign((_, { progress }: { readonly progress: DriveProgress }) => ({ progress })),
    setMessage: assign((_, { message }: { readonly message: string }) => ({ message })),
    clearProgress: assign({ progress: START }),
  },
}).createMachine({
  id: 'editReplay',
  context: { saved: NONE, progress: START, message: '' },
  initial: 'idle',
  on: { 'module.saved': { target: '.loading', actions: withEvent('setSaved'), reenter: true } },
  states: {
    idle: {},
    loading: {
      description: 'Imports the new version next to the one that the app uses.',
      invoke: { id: 'loadEdit', src: 'loadEdit', input: ({ context }) => context.saved },
      on: {
        'edit.loaded': [
          { guard: withEvent('isUnusedAndHeld'), target: 'updating' },
          { guard: withEvent('isUnused'), target: 'idle' },
          { target: 'driving' },
        ],
        'edit.refused': [
          { guard: withEvent('mustUpdate'), target: 'updating' },
          { target: 'refused', actions: withEvent('setMessage') },
        ],
        'update.requested': { guard: 'isHeld', target: 'updating' },
      },
    },
    driving: {
      description: 'Repeats the inputs of the recordings with the new machines, without effects.',
      invoke: { id: 'driveEdit', src: 'driveEdit' },
      on: {
        'drive.progressed': { actions: withEvent('setProgress') },
        'drive.finished': 'judged',
        'edit.refused': { target: 'refused', actions: withEvent('setMessage') },
        'update.requested': { guard: 'isHeld', target: 'updating' },
      },
    },
    judged: {
      on: {
        'apply.requested': { guard: 'isHeld', target: 'applying' },
        'update.requested': { guard: 'isHeld', target: 'updating' },
        'edit.dismissed': 'idle',
      },
    },
    applying: {
      description: 'Drives again what was recorded since, and puts the actors into the new state.',
      entry: 'clearProgress',
      invoke: { id: 'applyEdit', src: 'applyEdit' },
      on: {
        'drive.progressed': { actions: withEvent('setProgress') },
        'edit.applied': 'applied',
        'edit.refused': { target: 'refused', actions: withEvent('setMessage') },
      },
    },
    applied: { on: { 'edit.dismissed': 'idle' } },
    refused: {
      description: 'The app continues with the old version.',
      on: {
        'update.requested': { guard: 'isHeld', target: 'updating' },
        'edit.dismissed': 'idle',
      },
    },
    updating: {
      invoke: { id: 'requestUpdate', src: 'requestUpdate', input: ({ context }) => context.saved },
      on: { 'update.sent': 'idle' },
    },
  },
})
