// Stores the drafts of one table: at once when there are more than stored, else a moment later.
import { assign, setup } from 'xstate'
import { port } from '../port.ts'
import type { PortBroken } from '../ports.ts'
import { withEvent } from '../with-event.ts'

/** Without a delay, a paste into many rows, which are saved one by one, would store all the rest with each. */
const SAVING_DELAY = 300

/** The drafts are others, or there are more or fewer. */
export interface DraftsChanged {
  readonly type: 'drafts.changed'
  readonly count: number
}

export type SaveDraftsEvent =
  | { readonly type: 'drafts.saved'; readonly count: number }
  /** There is no room. */
  | { readonly type: 'drafts.full' }
  | PortBroken

/** The port: stores the current drafts, within its start. */
const saveDrafts = port<SaveDraftsEvent>('saveDrafts')

export const draftSavingMachine = setup({
  types: {
    context: {} as { readonly stored: number },
    events: {} as DraftsChanged | SaveDraftsEvent,
  },
  actors: { saveDrafts },
  delays: { savingDelay: SAVING_DELAY },
  guards: {
    /** A draft that is not stored would be lost with the page; an old one that is stored is only restored for nothing. */
    isUrgent: ({ context }, { count }: DraftsChanged) => count === 0 || count >= context.stored,
  },
  actions: { setStored: assign((_, { count }: { readonly count: number }) => ({ stored: count })) },
}).createMachine({
  id: 'draftSaving',
  context: { stored: 0 },
  initial: 'stored',
  on: { 'drafts.changed': [{ guard: withEvent('isUrgent'), target: '.saving', reenter: true }, '.waiting'] },
  states: {
    stored: {},
    waiting: {
      after: { savingDelay: 'saving' },
      on: { 'drafts.changed': { guard: withEvent('isUrgent'), target: 'saving' } },
    },
    saving: {
      invoke: { id: 'saveDrafts', src: 'saveDrafts' },
      on: {
        'drafts.saved': { target: 'stored', actions: withEvent('setStored') },
        'drafts.full': 'full',
        'port.broken': 'full',
      },
    },
    full: { description: 'The drafts are only in this page; the next change tries again.' },
  },
})
