// The inspector over the details of a trace: the last record stays until the next is there.
import { memo } from 'react'
import type { ViewRecord } from '../../../trace/format.ts'
import { Inspector } from '../inspector.tsx'
import type { TraceIndex } from '../trace-index.ts'
import { useStep } from './use-detail.ts'

export interface DetailedInspectorProps {
  readonly index: TraceIndex
  /** Number of the view; -1 for none. */
  readonly seq: number
  readonly onSelect: (view: ViewRecord) => void
}

export const DetailedInspector = memo(function DetailedInspector(props: DetailedInspectorProps) {
  const { index, seq, onSelect } = props
  const step = useStep(index.trace.details, seq, index.previous(seq))
  return <Inspector index={index} {...step} onSelect={onSelect} />
})
