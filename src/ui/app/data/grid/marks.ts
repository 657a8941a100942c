// What a row or a cell of the grid is marked with, and the words for it.
import type { EditState } from '../writes/edits.ts'

export type CellMark = 'pending' | 'failed' | 'conflict'

/** A mark for the state of an edit. */
export const cellMark = (state: EditState): CellMark => {
  switch (state.at) {
    case 'queued':
    case 'sending':
    case 'waiting':
      return 'pending'
    case 'refused':
      return 'failed'
    case 'conflicting':
      return 'conflict'
  }
}

/** What a mark says to who points at it. */
export const editWords = (state: EditState): string => {
  switch (state.at) {
    case 'queued':
    case 'sending':
      return 'Being saved.'
    case 'waiting':
      return `Not saved yet. ${state.failure.message} It is tried again by itself.`
    case 'refused':
      return `Not saved. ${state.failure.message}`
    case 'conflicting':
      return state.theirs === undefined
        ? 'Not saved: the row is gone, or you may not see it any more.'
        : 'Not saved: somebody changed this meanwhile.'
  }
}
