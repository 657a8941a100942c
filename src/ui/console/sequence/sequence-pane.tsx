// The sequence diagram at the place that the console looks at.
import { useMemo } from 'react'
import { wholeOf } from '../canvas/time-scale.ts'
import { useConsole } from '../use-console.ts'
import { usePaced } from '../use-paced.ts'
import { SequenceView } from './sequence-view.tsx'

/** How often it is laid out while a trace grows: all messages of the range are looked at each time. */
const PACE_MS = 250

export function SequencePane() {
  const { timeline, size, place, selection, filter, go, pick } = useConsole()
  const version = usePaced(size, PACE_MS, true)
  const whole = useMemo(() => wholeOf(version > 0 ? timeline.end : 0), [timeline, version])
  const rows = usePaced(filter.length, PACE_MS, true)
  const messages = useMemo(() => ({ seqAt: (row: number) => filter.seqAt(row), rows }), [filter, rows])
  return (
    <SequenceView
      timeline={timeline}
      version={version}
      seq={selection.seq}
      actor={selection.actor}
      range={place.range ?? whole}
      filter={messages}
      onRecord={pick}
      onActor={actor => go({ type: 'actor', actor })}
    />
  )
}
