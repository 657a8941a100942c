// The network view at the console's place.
import { useDeferredValue } from 'react'
import { useShownRange } from '../canvas/use-shown-range.ts'
import { useConsole } from '../use-console.ts'
import { NetworkView } from './network-view.tsx'

export function NetworkPane() {
  const { timeline, selection, pick } = useConsole()
  const { version, range } = useShownRange()
  const shown = useDeferredValue(selection)
  const { actor, at } = shown.timeline === timeline ? shown : selection
  return <NetworkView {...{ timeline, version, actor, at, range }} onRecord={pick} />
}
