// Clicks on rows that stand for views.
import type { MouseEvent } from 'react'

/** Tells the number of the view whose row was clicked; other clicks inside the grid say nothing. */
export function onSeqClick({ target }: MouseEvent, onRecord: (seq: number) => void): void {
  const row = target instanceof Element ? target.closest('[data-seq]') : null
  const seq = row?.getAttribute('data-seq')
  if (seq !== null && seq !== undefined) onRecord(Number(seq))
}
