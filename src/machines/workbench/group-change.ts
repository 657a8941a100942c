// One change of a group of reports by a member: compared with what others wrote, saved, and over once the group
// was read again.
import { assign, setup } from 'xstate'
import { withEvent } from '../with-event.ts'
import type { Failure } from '../failure.ts'
import { port } from '../port.ts'
import type { PortBroken } from '../ports.ts'

/** What is changed. The text of notes and versions stays with the page. */
type ChangedField = 'open' | 'fixed' | 'ignored' | 'notes'

export interface GroupChangeInput {
  readonly field: ChangedField
  /** Why it cannot be sent; found before sending. */
  readonly problem?: string | undefined
}

/** Why it was not saved. */
export interface ChangeFailure {
  readonly message: string
}

export interface GroupChangeContext extends GroupChangeInput {
  readonly failure: ChangeFailure | undefined
}

type GroupChangeCommand =
  /** The member has read why it was not saved. */
  | { readonly type: 'change.dismiss' }
  /** The groups were read again. */
  | { readonly type: 'groups.read' }

/** Another member changed the group, or the account is no member anymore: nothing was saved. */
type Conflicted = { readonly type: 'change.conflicted' }
type Refused = { readonly type: 'change.refused' } & ChangeFailure

export type CompareEvent = { readonly type: 'notes.unchanged' } | Conflicted | Refused | PortBroken
/** The port: reads the notes again. They are too long for a condition of the request that saves them. */
const compareNotes = port<CompareEvent>('compareNotes')

export type SaveChangeEvent = { readonly type: 'change.saved' } | Conflicted | Refused | PortBroken
/** The port: saves the change if the group still is as the member saw it. */
const saveChange = port<SaveChangeEvent>('saveChange')

const unsaved = {
  'change.conflicted': 'conflicted',
  'change.refused': { target: 'failed', actions: withEvent('setRefusal') },
  'port.broken': { target: 'failed', actions: withEvent('setPortFailure') },
} as const

export const groupChangeMachine = setup({
  types: {
    context: {} as GroupChangeContext,
    input: {} as GroupChangeInput,
    events: {} as GroupChangeCommand | CompareEvent | SaveChangeEvent,
  },
  actors: { compareNotes, saveChange },
  guards: {
    hasProblem: ({ context }) => context.problem !== undefined,
    isOfNotes: ({ context }) => context.field === 'notes',
  },
  actions: {
    setRefusal: assign((_, { message }: ChangeFailure) => ({ failure: { message } })),
    setPortFailure: assign((_, { failure: { message } }: { readonly failure: Failure }) => ({
      failure: { message },
    })),
  },
}).createMachine({
  id: 'groupChange',
  context: ({ input }) => ({ ...input, failure: undefined }),
  initial: 'validating',
  states: {
    validating: {
      always: [
        { guard: 'hasProblem', target: 'invalid' },
        { guard: 'isOfNotes', target: 'comparing' },
        { target: 'saving' },
      ],
    },
    comparing: {
      description: 'Reads the notes again, so that those of another member are not replaced.',
      invoke: { id: 'compareNotes', src: 'compareNotes' },
      on: { 'notes.unchanged': 'saving', ...unsaved },
    },
    saving: {
      description: 'The change is shown, and sent.',
      invoke: { id: 'saveChange', src: 'saveChange' },
      on: { 'change.saved': 'saved', ...unsaved },
    },
    saved: {
      description: 'The saved group is shown until the groups are read again.',
      on: { 'groups.read': 'done' },
    },
    invalid: {
      description: 'It cannot be sent; shown with its reason.',
      on: { 'change.dismiss': 'done' },
    },
    conflicted: {
      description: 'The group is not as the member saw it: taken back and shown with the reason.',
      on: { 'change.dismiss': 'done' },
    },
    failed: {
      description: 'Not saved: taken back and shown with the reason.',
      on: { 'change.dismiss': 'done' },
    },
    done: { type: 'final' },
  },
})
