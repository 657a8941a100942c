// The timeline at the console's place.
import { useCallback, useDeferredValue } from 'react'
import { useShownRange } from '../canvas/use-shown-range.ts'
import type { Range } from '../canvas/time-scale.ts'
import { useVerdicts } from '../checks/verdicts.ts'
import { useConsole } from '../use-console.ts'
import { TimelineView } from './timeline-view.tsx'
import { useTones } from './use-tones.ts'

export function TimelinePane() {
  const { timeline, charts, place, selection, go, pick } = useConsole()
  const { version, full, range } = useShownRange()
  const { findings } = useVerdicts()
  const toneOf = useTones(timeline, charts)
  const shown = useDeferredValue(selection)
  const { seq, actor } = shown.timeline === timeline ? shown : selection
  const onRange = useCallback((next: Range | undefined) => go({ type: 'range', range: next }), [go])
  const onActor = useCallback((of: number) => go({ type: 'actor', actor: of }), [go])
  const onMoment = useCallback((at: number) => go({ type: 'moment', seq: at }), [go])
  return (
    <TimelineView
      {...{ timeline, version, seq, actor, full, range, findings, toneOf, onRange, onActor, onMoment }}
      marks={place.marks}
      onRecord={pick}
    />
  )
}
