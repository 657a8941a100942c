// The middle of the console: the selected actor's statechart, or a card for an actor without one.
import { memo, useMemo, type ReactNode } from 'react'
import type { MachineChart, ViewRecord } from '../../trace/format.ts'
import { EmptyState } from '../widgets/state.tsx'
import { ActorCard } from './actor-card.tsx'
import { familyHue, shortPath } from './actor-names.ts'
import styles from './centre.module.css'
import { ChartView, type SendFormProps } from './chart/chart-view.tsx'
import { useChartRun } from './chart/use-chart-run.ts'
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
  /** Milliseconds since the recording began, while the end of a live recording is followed. */
  readonly now?: (() => number) | undefined
  /** Sends an event to the actor. */
  readonly onSend?: ((actor: number, event: { readonly type: string }) => void) | undefined
  /** A form for an event to the actor, in the place of sending it at once. */
  readonly renderSend?: ((props: SendFormProps & { readonly actor: number }) => ReactNode) | undefined
}

/** The selected actor at the selected record. */
export const Centre = memo(function Centre(props: CentreProps) {
  const { index, actor, seq, charts, fitAsked, now, onSend, renderSend } = props
  const source = index.source
  const record = source.views[seq]
  const entry = source.actors[actor]
  const chart = entry ? charts[entry.src] : undefined
  const since = firstInState(index, seq)
  const run = useChartRun(index, actor, seq, chart, since)
  const at = record?.t ?? 0
  const clock = useMemo(() => ({ now: now ?? (() => at), isRunning: now !== undefined }), [now, at])
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
            {...run}
            fitAsked={fitAsked}
            clock={clock}
            onSend={onSend && (event => onSend(actor, event))}
            renderSend={renderSend && (form => renderSend({ ...form, actor }))}
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
