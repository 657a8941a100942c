// The timeline at the place that the console looks at.
import { useConsole } from '../use-console.ts'
import { TimelineView } from './timeline-view.tsx'
import { useTones } from './use-tones.ts'

export function TimelinePane() {
  const { timeline, size, charts, place, selection, go, pick } = useConsole()
  const toneOf = useTones(timeline, charts)
  return (
    <TimelineView
      timeline={timeline}
      version={size}
      seq={selection.seq}
      actor={selection.actor}
      range={place.range}
      toneOf={toneOf}
      onRange={range => go({ type: 'range', range })}
      onRecord={pick}
      onActor={actor => go({ type: 'actor', actor })}
    />
  )
}
