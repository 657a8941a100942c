// Height of the chart's tools at the lower edge of a pane; larger for touch.
import { useSyncExternalStore } from 'react'
import { TOOLS } from './view-box.ts'

const COARSE = '(pointer: coarse)'

/** Returns the height in pixels; changes with the pointer type. */
export function useToolsHeight(): number {
  const isCoarse = useSyncExternalStore(subscribe, () => window.matchMedia(COARSE).matches)
  return isCoarse ? TOOLS.coarse : TOOLS.fine
}

function subscribe(onChange: () => void): () => void {
  const media = window.matchMedia(COARSE)
  media.addEventListener('change', onChange)
  return () => media.removeEventListener('change', onChange)
}
