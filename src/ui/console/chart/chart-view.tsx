// A machine's statechart at a moment: laid out, drawn, travelled through, searched, and sent events.
import type { ReactNode } from 'react'
import type { MachineChart } from '../../../trace/format.ts'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/state.tsx'
import { usePaneSize } from '../use-pane-size.ts'
import type { ChartActivity } from './chart-activity.ts'
import type { Counts } from './chart-counts.ts'
import { Outline } from './chart-outline.tsx'
import styles from './chart.module.css'
import { ClockContext, type ChartClock, type RunningTimer } from './countdown.tsx'
import { Drawing } from './drawing.tsx'
import { useChartChoices } from './use-chart-choices.ts'
import { useChartLayout } from './use-chart-layout.ts'

/** What a form for sending an event is given. */
export interface SendFormProps {
  /** Type of the event. */
  readonly event: string
  /** Takes the form away. */
  readonly onDone: () => void
}

export interface ChartViewProps {
  readonly chart: MachineChart
  readonly activity: ChartActivity
  /** Visits of the actor that is shown. */
  readonly counts: Counts
  /** Visits of all actors of this machine; asked for while visits are compared. */
  readonly allCounts: () => Counts
  /** Counts up each time the whole chart shall be shown. */
  readonly fitAsked: number
  /** Timers that run at this moment. */
  readonly timers: readonly RunningTimer[]
  readonly clock: ChartClock
  /** Sends an event to the actor; absent where nothing can be sent, as in a file. */
  readonly onSend?: ((event: { readonly type: string }) => void) | undefined
  /** A form for an event in the place of sending it at once. */
  readonly renderSend?: ((props: SendFormProps) => ReactNode) | undefined
}

/** Lays the chart out on first sight and draws it. */
export function ChartView(props: ChartViewProps) {
  const { chart, activity, counts } = props
  const [ref, pane] = usePaneSize()
  const choices = useChartChoices(chart)
  const { detail, folded } = choices
  const layout = useChartLayout({ chart, pane, detail, folded })
  return (
    <ClockContext value={props.clock}>
      <div className={styles.pane} ref={ref}>
        {layout.state === 'pending' ? <Skeleton rows={4} label={`Laying out ${chart.id}`} /> : null}
        {layout.state === 'failed' ? (
          <>
            <ErrorState title="The chart could not be laid out">{layout.message}</ErrorState>
            <Outline {...{ chart, activity, counts, choices }} />
          </>
        ) : null}
        {layout.state === 'placed' && layout.placed.boxes.length <= 1 && folded.size === 0 ? (
          <EmptyState title={`${chart.id} has no states`}>Its context is on the right.</EmptyState>
        ) : null}
        {layout.state === 'placed' && (layout.placed.boxes.length > 1 || folded.size > 0) ? (
          <Drawing {...props} placed={layout.placed} pane={pane} paneRef={ref} choices={choices} />
        ) : null}
      </div>
    </ClockContext>
  )
}
