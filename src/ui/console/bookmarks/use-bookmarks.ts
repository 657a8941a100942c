// Contexts of the bookmarks: notes on steps and their changes, and the state of the panel.
import { createContext, use } from 'react'
import type { BookmarkRecord } from '../../../trace/index.ts'

export interface Bookmarks {
  /** Sorted by step, ascending. The same list until it changes. */
  readonly list: readonly BookmarkRecord[]
  /** Why no notes can be added here. */
  readonly refusal: string | undefined
  /** Number of changes not saved in any file; 0 for a live recording, which stores them itself. */
  readonly unsaved: number
  /** Adds or replaces the note on a step. */
  readonly add: (seq: number, note: string) => void
  readonly edit: (seq: number, note: string) => void
  readonly remove: (seq: number) => void
  /** Opens the panel to write a note on this step. */
  readonly write: (seq: number) => void
  /** Saves the opened file with its notes as another file. */
  readonly save: () => void
}

const NONE: Bookmarks = {
  list: [],
  refusal: 'Notes need a recording',
  unsaved: 0,
  add: () => undefined,
  edit: () => undefined,
  remove: () => undefined,
  write: () => undefined,
  save: () => undefined,
}

export const BookmarksContext = createContext<Bookmarks>(NONE)

/** Rerenders the component when a note is added, changed or removed. */
export const useBookmarks = (): Bookmarks => use(BookmarksContext)

interface PanelState {
  readonly isOpen: boolean
  readonly setOpen: (isOpen: boolean) => void
  /** The step whose note is being written; defaults to the selected one. */
  readonly draft: number | undefined
  readonly setDraft: (seq: number | undefined) => void
  /** Why the last save failed. */
  readonly failure: string | undefined
}

export const PanelContext = createContext<PanelState | undefined>(undefined)

export function usePanelState(): PanelState {
  const state = use(PanelContext)
  if (!state) throw new Error('The bookmarks panel must be inside the console')
  return state
}
