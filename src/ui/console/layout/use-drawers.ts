// Which drawer of the console is open.
import { useCallback, useMemo, useState } from 'react'
import type { Big } from '../model/frame-layout.ts'
import type { Layout } from '../model/place.ts'

/** Panes that open above the middle instead of having a column. */
export interface Drawers {
  readonly list: readonly Big[]
  readonly open: Big | undefined
  /** Opens a drawer, or closes it if it is open. */
  readonly toggle: (pane: Big) => void
}

/**
 * One drawer is open at a time: whichever was requested last, else the control panel while it is shown, as
 * its button opens and closes it.
 */
export function useDrawers(list: readonly Big[], layout: Layout): Drawers {
  const [chosen, choose] = useState<Big>()
  const [known, know] = useState(layout)
  if (known !== layout) {
    know(layout)
    if (known.frame !== layout.frame && list.includes('drive')) choose(undefined)
    else if (list.includes('event') && isForEvent(known, layout)) choose('event')
  }
  const toggle = useCallback((pane: Big) => choose(now => (now === pane ? undefined : pane)), [])
  return useMemo(() => {
    const isOpen = chosen !== undefined && list.includes(chosen)
    return { list, open: isOpen ? chosen : list.find(pane => pane === 'drive'), toggle }
  }, [list, chosen, toggle])
}

/** Whether a tab of the selected event was requested, even if it is already open; a cause may come with another view. */
const isForEvent = (before: Layout, now: Layout): boolean =>
  (now.inspector === 'cause' && before.inspector !== 'cause') ||
  Object.entries(before).every(([key, was]) => key === 'inspector' || was === now[key as keyof Layout])
