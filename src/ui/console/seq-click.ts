// Click handling for rows of views.
import type { MouseEvent } from 'react'

/** Reports the number of the view whose row was clicked; ignores other clicks inside the grid. */
export function onSeqClick({ target }: MouseEvent, onRecord: (seq: number) => void): void {
  const row = target instanceof Element ? target.closest('[data-seq]') : null
  const seq = row?.getAttribute('data-seq')
  if (seq !== null && seq !== undefined) onRecord(Number(seq))
}
