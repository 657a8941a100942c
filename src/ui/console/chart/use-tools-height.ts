// How much of a pane the chart's tools take at its lower edge: for fingers they are larger.
import { useSyncExternalStore } from 'react'
import { TOOLS } from './view-box.ts'

const COARSE = '(pointer: coarse)'

/** In pixels; another when another pointer comes to be used. */
export function useToolsHeight(): number {
  const isCoarse = useSyncExternalStore(subscribe, () => window.matchMedia(COARSE).matches)
  return isCoarse ? TOOLS.coarse : TOOLS.fine
}

function subscribe(onChange: () => void): () => void {
  const media = window.matchMedia(COARSE)
  media.addEventListener('change', onChange)
  return () => media.removeEventListener('change', onChange)
}
