// A machine's statechart at a moment: laid out, drawn, travelled through, searched, and sent events.
import { useRef } from 'react'
import type { MachineChart } from '../../../trace/format.ts'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/state.tsx'
import type { ChartActivity } from './chart-activity.ts'
import type { Counts } from './chart-counts.ts'
import { Outline } from './chart-outline.tsx'
import styles from './chart.module.css'
import type { RunningTimer } from './countdown.tsx'
import { Drawing } from './drawing.tsx'
import { useChartChoices } from './use-chart-choices.ts'
import { useChartLayout } from './use-chart-layout.ts'
import type { Size } from './view-box.ts'

export interface ChartViewProps {
  readonly chart: MachineChart
  readonly activity: ChartActivity
  /** By path of a state that holds others: the one in it that was active before. */
  readonly origins: ReadonlyMap<string, string>
  /** Visits of the actor that is shown. */
  readonly counts: Counts
  /** Visits of all actors of this machine; asked for while visits are compared. */
  readonly allCounts: () => Counts
  /** Counts up each time the whole chart shall be shown. */
  readonly fitAsked: number
  /** Timers that run at this moment. */
  readonly timers: readonly RunningTimer[]
  /** Its room; 0 × 0 before that is known. */
  readonly pane: Size
  /** Path of the actor that is shown, to which events are sent. */
  readonly actor: string
}

/** Lays the chart out on first sight and draws it. */
export function ChartView(props: ChartViewProps) {
  const { chart, activity, counts, pane } = props
  const ref = useRef<HTMLDivElement>(null)
  const choices = useChartChoices(chart)
  const { detail, folded } = choices
  // What is searched may be anywhere.
  const mode = choices.found ? 'whole' : choices.mode
  const layout = useChartLayout({ chart, pane, detail, folded, mode, activity, origins: props.origins })
  return (
    <div className={styles.pane} ref={ref}>
      {layout.state === 'pending' ? <Skeleton rows={4} label={`Laying out ${chart.id}`} /> : null}
      {layout.state === 'failed' ? (
        <>
          <ErrorState title="The chart could not be laid out">{layout.message}</ErrorState>
          <Outline {...{ chart, activity, counts, choices }} />
        </>
      ) : null}
      {layout.state === 'placed' && chart.root.states.length === 0 ? (
        <EmptyState title={`${chart.id} has no states`}>Its context is on the right.</EmptyState>
      ) : null}
      {layout.state === 'placed' && chart.root.states.length > 0 ? (
        <Drawing {...props} layout={layout} paneRef={ref} choices={choices} />
      ) : null}
    </div>
  )
}
