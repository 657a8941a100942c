// The chosen step: its event, what it changed, what its actor was after it, why it happened, and when a value changed.
import { MousePointerClick } from 'lucide-react'
import { memo, useState } from 'react'
import { EmptyState } from '../../widgets/state.tsx'
import { Tabs } from '../../widgets/tabs.tsx'
import { useStep } from '../model/use-detail.ts'
import { useConsole } from '../use-console.ts'
import { CauseView } from './cause-view.tsx'
import { ContextView } from './context-view.tsx'
import { DiffView } from './diff-view.tsx'
import { EventView } from './event-view.tsx'
import styles from './state.module.css'

export interface InspectorProps {
  /** Number of the view; -1 for none. */
  readonly seq: number
  readonly onSelect: (seq: number) => void
}

/** Which tab is open is part of the place. */
export const Inspector = memo(function Inspector({ seq, onSelect }: InspectorProps) {
  const { details, timeline, place, go } = useConsole()
  const { record, before } = useStep(details, seq, timeline.previous(seq))
  const open = (inspector: string) => go({ type: 'layout', layout: { inspector } })
  const [, setWhen] = useState<string>()
  const askWhen = (pointer: string) => setWhen(pointer)
  if (!record) {
    return (
      <EmptyState icon={<MousePointerClick size={20} aria-hidden />} title="No event selected">
        Choose one in the log, or an actor that has taken one.
      </EmptyState>
    )
  }
  const items = [
    { id: 'event', title: 'Event', content: <EventView record={record} /> },
    { id: 'diff', title: 'Diff', content: <DiffView record={record} before={before} onWhen={askWhen} /> },
    {
      id: 'context',
      title: 'Context',
      content: <ContextView record={record} before={before} onWhen={askWhen} />,
    },
    {
      id: 'cause',
      title: 'Cause',
      content: <CauseView seq={record.seq} timeline={timeline} onSelect={onSelect} />,
    },
  ]
  const isKnown = items.some(({ id }) => id === place.layout.inspector)
  return (
    <div className={styles.inspector}>
      <div className={styles.tabs}>
        <Tabs
          label="Selected event"
          items={items}
          selected={isKnown ? place.layout.inspector : 'diff'}
          onSelect={open}
        />
      </div>
    </div>
  )
})
