// Whether the panel of bookmarks is open, and on which step a note is being written.
import { createContext, use } from 'react'

export interface PanelState {
  readonly isOpen: boolean
  readonly setOpen: (isOpen: boolean) => void
  /** The step that a note is written on; the selected one unless told. */
  readonly draft: number | undefined
  readonly setDraft: (seq: number | undefined) => void
  /** Why the last save failed. */
  readonly failure: string | undefined
}

export const PanelContext = createContext<PanelState | undefined>(undefined)

export function usePanelState(): PanelState {
  const state = use(PanelContext)
  if (!state) throw new Error('The panel of bookmarks is for the console')
  return state
}
