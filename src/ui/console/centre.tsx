// The middle of the console: the selected actor's statechart, or a card for an actor without one.
import { memo, useMemo } from 'react'
import type { MachineChart, ViewRecord } from '../../trace/format.ts'
import { EmptyState } from '../widgets/state.tsx'
import { ActorCard } from './actor-card.tsx'
import { familyHue, shortPath } from './actor-names.ts'
import styles from './centre.module.css'
import { chartActivity, DARK } from './chart/chart-activity.ts'
import { ChartView } from './chart/chart-view.tsx'
import { stateLabel } from './state-value.ts'
import { clockTime } from './text.ts'
import type { TraceIndex } from './trace-index.ts'

export interface CentreProps {
  readonly index: TraceIndex
  readonly actor: number
  /** The actor's record that is shown, by sequence number; -1 for none. */
  readonly seq: number
  readonly charts: Readonly<Record<string, MachineChart>>
  readonly fitAsked: number
}

/** The selected actor at the selected record. */
export const Centre = memo(function Centre({ index, actor, seq, charts, fitAsked }: CentreProps) {
  const source = index.source
  const record = source.views[seq]
  const before = source.views[index.previous(seq)]
  const entry = source.actors[actor]
  const chart = entry ? charts[entry.src] : undefined
  const since = firstInState(index, seq)
  const other = source.views[index.previous(since?.seq ?? -1)]
  const activity = useMemo(
    () => (chart && record ? chartActivity(chart, record, before?.value, other?.value) : DARK),
    [chart, record, before, other],
  )
  if (!entry)
    return <EmptyState title="Nothing recorded yet">The machines appear with their first event.</EmptyState>
  return (
    <div className={styles.centre}>
      <header className={styles.head}>
        <span aria-hidden className={styles.family} style={{ background: familyHue(entry, source.actors) }} />
        <h2 className={styles.title}>{shortPath(entry)}</h2>
        <span className={styles.state}>
          {record ? stateLabel(record.value) || record.status : 'not started'}
          {record && record.status !== 'active' && record.value !== undefined ? ` · ${record.status}` : ''}
        </span>
        {since ? <span className={styles.since}>since {clockTime(since.t)}</span> : null}
      </header>
      <div className={styles.body}>
        {chart ? (
          <ChartView
            chart={chart}
            activity={activity}
            visited={path => index.visited(actor, path, seq)}
            fitAsked={fitAsked}
          />
        ) : (
          <ActorCard entry={entry} record={record} started={source.views[index.viewsOf(actor)[0] ?? -1]} />
        )}
      </div>
    </div>
  )
})

const LOOK_BACK = 200

/** The record with which the present state was entered; looks back a bounded number of records. */
function firstInState(index: TraceIndex, seq: number): ViewRecord | undefined {
  const views = index.source.views
  let first = views[seq]
  const state = stateLabel(first?.value)
  for (let steps = 0; first && steps < LOOK_BACK; steps += 1) {
    const earlier = views[index.previous(first.seq)]
    if (!earlier || stateLabel(earlier.value) !== state) return first
    first = earlier
  }
  return first
}
