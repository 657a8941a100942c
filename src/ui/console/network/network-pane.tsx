// The network at the place that the console looks at.
import { useMemo } from 'react'
import { wholeOf } from '../canvas/time-scale.ts'
import { useConsole } from '../use-console.ts'
import { NetworkView } from './network-view.tsx'

export function NetworkPane() {
  const { timeline, size, place, selection, pick } = useConsole()
  const whole = useMemo(() => wholeOf(size > 0 ? timeline.end : 0), [timeline, size])
  return (
    <NetworkView
      timeline={timeline}
      version={size}
      actor={selection.actor}
      at={selection.at}
      range={place.range ?? whole}
      onRecord={pick}
    />
  )
}
