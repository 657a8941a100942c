// The inspector over the details of a trace: the last record stays until the next is there.
import { memo } from 'react'
import { Inspector } from '../inspector.tsx'
import { useConsole } from '../use-console.ts'
import { useStep } from './use-detail.ts'

export interface DetailedInspectorProps {
  /** Number of the view; -1 for none. */
  readonly seq: number
  readonly onSelect: (seq: number) => void
}

export const DetailedInspector = memo(function DetailedInspector(props: DetailedInspectorProps) {
  const { seq, onSelect } = props
  const { details, timeline } = useConsole()
  const step = useStep(details, seq, timeline.previous(seq))
  return <Inspector timeline={timeline} {...step} onSelect={onSelect} />
})
