// A machine's statechart at a moment: laid out, drawn, navigated, searched, and able to send events.
import { useRef } from 'react'
import type { MachineChart } from '../../../trace/index.ts'
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
  /** The previously active child, by path of its parent state. */
  readonly origins: ReadonlyMap<string, string>
  /** Visits by the shown actor. */
  readonly counts: Counts
  /** Visits by all actors of this machine; called while visits are compared. */
  readonly allCounts: () => Counts
  /** Increases each time the whole chart should be fitted to the pane. */
  readonly fitAsked: number
  /** Timers running at this moment. */
  readonly timers: readonly RunningTimer[]
  /** Size of the pane; 0 × 0 until it is known. */
  readonly pane: Size
  /** Path of the shown actor, which receives sent events. */
  readonly actor: string
}

/** Lays out the chart on first render and draws it. */
export function ChartView(props: ChartViewProps) {
  const { chart, activity, counts, pane } = props
  const ref = useRef<HTMLDivElement>(null)
  const choices = useChartChoices(chart)
  const { detail, folded } = choices
  // A search match may be anywhere in the chart.
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
        <EmptyState title={`${chart.id} has no states`}>See Context.</EmptyState>
      ) : null}
      {layout.state === 'placed' && chart.root.states.length > 0 ? (
        <Drawing {...props} layout={layout} paneRef={ref} choices={choices} />
      ) : null}
    </div>
  )
}
