// What views of the console know of notes on steps, and can do about them.
import { createContext, use } from 'react'
import type { BookmarkRecord } from '../../../trace/format.ts'

export interface Bookmarks {
  /** By their steps, ascending. The same list until it changes. */
  readonly list: readonly BookmarkRecord[]
  /** Why none can be made here. */
  readonly refusal: string | undefined
  /** How many changes are in no file yet; none in a live recording, which keeps them itself. */
  readonly unsaved: number
  /** Puts a note on a step, or another in its place. */
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

/** Renews the component when a note is made, changed or removed. */
export const useBookmarks = (): Bookmarks => use(BookmarksContext)
