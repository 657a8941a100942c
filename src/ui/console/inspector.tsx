// The selected record: its event, what it changed, the context it left, and why it happened.
import { MousePointerClick } from 'lucide-react'
import { memo, useState } from 'react'
import type { ViewRecord } from '../../trace/format.ts'
import type { Timeline } from '../../trace/timeline/timeline.ts'
import { EmptyState } from '../widgets/state.tsx'
import { Tabs } from '../widgets/tabs.tsx'
import { CauseView } from './cause-view.tsx'
import { DiffView } from './diff-view.tsx'
import styles from './inspector.module.css'
import { JsonTree } from './json-tree.tsx'
import { stateLabel } from '../../trace/timeline/state-value.ts'
import { clockTime, count } from './text.ts'

export interface InspectorProps {
  readonly timeline: Timeline
  readonly record: ViewRecord | undefined
  /** The same actor's record before it. */
  readonly before: ViewRecord | undefined
  readonly onSelect: (seq: number) => void
}

/** Four tabs on one record. */
export const Inspector = memo(function Inspector({ timeline, record, before, onSelect }: InspectorProps) {
  const [tab, setTab] = useState('diff')
  if (!record) {
    return (
      <EmptyState icon={<MousePointerClick size={20} aria-hidden />} title="No event selected">
        Choose one in the log, or an actor that has taken one.
      </EmptyState>
    )
  }
  const items = [
    { id: 'event', title: 'Event', content: <EventView record={record} timeline={timeline} /> },
    { id: 'diff', title: 'Diff', content: <DiffView key={record.seq} record={record} before={before} /> },
    { id: 'context', title: 'Context', content: <ContextView record={record} /> },
    {
      id: 'cause',
      title: 'Cause',
      content: <CauseView seq={record.seq} timeline={timeline} onSelect={onSelect} />,
    },
  ]
  return (
    <div className={styles.inspector}>
      <Tabs label="Selected event" items={items} selected={tab} onSelect={setTab} />
    </div>
  )
})

function EventView({ record, timeline }: { readonly record: ViewRecord; readonly timeline: Timeline }) {
  const { type, ...payload } = record.event
  const from = record.from === undefined ? undefined : timeline.actors[record.from]
  const to = timeline.actors[record.actor]
  return (
    <div className={styles.pane}>
      <h3 className={styles.heading}>{type}</h3>
      <dl className={styles.facts}>
        <dt>event</dt>
        <dd>
          {count(record.seq)} at {clockTime(record.t)}
        </dd>
        <dt>from</dt>
        <dd>{from?.path ?? 'outside'}</dd>
        <dt>to</dt>
        <dd>{to?.path ?? '?'}</dd>
        {record.changed ? null : (
          <>
            <dt>effect</dt>
            <dd>none: state and context stayed as they were</dd>
          </>
        )}
      </dl>
      {Object.keys(payload).length === 0 ? (
        <p className={styles.faint}>It carries nothing but its type.</p>
      ) : (
        <JsonTree value={payload} label="Event payload" />
      )}
    </div>
  )
}

function ContextView({ record }: { readonly record: ViewRecord }) {
  return (
    <div className={styles.pane}>
      {record.value === undefined ? null : (
        <dl className={styles.facts}>
          <dt>state</dt>
          <dd>{stateLabel(record.value)}</dd>
        </dl>
      )}
      {record.error === undefined ? null : <JsonTree value={{ error: record.error }} label="Error" />}
      {record.output === undefined ? null : <JsonTree value={{ output: record.output }} label="Output" />}
      {record.context === undefined ? (
        <p className={styles.faint}>This actor has no context.</p>
      ) : (
        <JsonTree value={record.context} label="Context" />
      )}
    </div>
  )
}
