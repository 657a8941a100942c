// Marks for rows and cells of the grid, and their descriptions.
import type { EditState } from '../../../../services/workbench/table/index.ts'

export type CellMark = 'pending' | 'failed' | 'conflict'

/** The mark for an edit state. */
export const cellMark = (state: EditState): CellMark => {
  switch (state.at) {
    case 'queued':
    case 'sending':
    case 'backingOff':
      return 'pending'
    case 'refused':
      return 'failed'
    case 'conflict':
      return 'conflict'
  }
}

/** The tooltip of a mark. */
export const editWords = (state: EditState): string => {
  switch (state.at) {
    case 'queued':
    case 'sending':
      return 'Saving…'
    case 'backingOff':
      return `Not saved yet. ${state.failure.message} Retrying automatically.`
    case 'refused':
      return `Not saved. ${state.failure.message}`
    case 'conflict':
      return state.theirs === undefined
        ? 'Not saved: the row was deleted or is no longer visible to you.'
        : 'Conflict: this cell changed since you loaded it.'
  }
}
