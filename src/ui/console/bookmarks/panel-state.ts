// State of the bookmarks panel: whether it is open, and which step's note is being written.
import { createContext, use } from 'react'

export interface PanelState {
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
