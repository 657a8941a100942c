// The sequence diagram at the console's place.
import { useCallback, useDeferredValue, useMemo } from 'react'
import { useShownRange } from '../canvas/use-shown-range.ts'
import { useConsole } from '../use-console.ts'
import { usePaced } from '../use-paced.ts'
import { SequenceView } from './sequence-view.tsx'

/** How often it is laid out while rows are added. */
const PACE_MS = 250

export function SequencePane() {
  const { timeline, selection, filter, go, pick } = useConsole()
  const { version, range } = useShownRange()
  const rows = usePaced(filter.length, PACE_MS, true)
  const events = useMemo(() => ({ seqAt: (row: number) => filter.seqAt(row), rows }), [filter, rows])
  const shown = useDeferredValue(selection)
  const { seq, at, actor } = shown.timeline === timeline ? shown : selection
  const onActor = useCallback((of: number) => go({ type: 'actor', actor: of }), [go])
  return <SequenceView {...{ timeline, version, seq, at, actor, range, events, onActor }} onRecord={pick} />
}
