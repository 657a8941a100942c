// A machine's statechart with its active states lit; pan, zoom and fit.
import { Maximize, Minus, Plus } from 'lucide-react'
import { useId, type RefObject } from 'react'
import type { MachineChart } from '../../../trace/format.ts'
import { IconButton } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/state.tsx'
import type { ChartActivity } from './chart-activity.ts'
import type { PlacedChart } from './chart-layout.ts'
import { ChartShapes } from './chart-shapes.tsx'
import styles from './chart.module.css'
import { useChartLayout, type ChartLayoutState } from './use-chart-layout.ts'
import { usePanZoom } from './use-pan-zoom.ts'
import { usePaneSize } from '../use-pane-size.ts'
import type { Size } from './view-box.ts'

export interface ChartViewProps {
  readonly chart: MachineChart
  readonly activity: ChartActivity
  readonly visited: (path: string) => boolean
  /** Counts up each time the whole chart shall be shown. */
  readonly fitAsked: number
}

/** Lays the chart out on first sight and draws it. */
export function ChartView(props: ChartViewProps) {
  const [ref, pane] = usePaneSize()
  const layout = useChartLayout(props.chart, pane)
  return (
    <div className={styles.pane} ref={ref}>
      <Content {...props} layout={layout} pane={pane} paneRef={ref} />
    </div>
  )
}

interface ContentProps extends ChartViewProps {
  readonly layout: ChartLayoutState
  readonly pane: Size
  readonly paneRef: RefObject<HTMLDivElement | null>
}

function Content({ layout, ...props }: ContentProps) {
  if (layout.state === 'failed') {
    return (
      <>
        <ErrorState title="The chart could not be laid out">{layout.message}</ErrorState>
        <StateList chart={props.chart} activity={props.activity} />
      </>
    )
  }
  if (layout.state === 'pending') {
    return <Skeleton rows={4} label={`Laying out ${props.chart.id}`} />
  }
  if (layout.placed.boxes.length <= 1) {
    return <EmptyState title={`${props.chart.id} has no states`}>Its context is on the right.</EmptyState>
  }
  return <Drawing {...props} placed={layout.placed} />
}

interface DrawingProps extends Omit<ContentProps, 'layout'> {
  readonly placed: PlacedChart
}

function Drawing({ chart, placed, activity, visited, fitAsked, pane, paneRef }: DrawingProps) {
  const listId = useId()
  const pan = usePanZoom({ placed, pane, paneRef, activity, fitAsked })
  const active = [...activity.active].join(', ')
  return (
    <>
      <svg
        className={styles.svg}
        role="img"
        aria-label={`Statechart of ${chart.id}. Active: ${active === '' ? 'none' : active}`}
        aria-describedby={listId}
        {...pan.handlers}
      >
        <ArrowHeads />
        <g className={cx(pan.following && styles.moving)} style={{ transform: pan.transform }}>
          <ChartShapes chart={placed} activity={activity} visited={visited} />
        </g>
      </svg>
      <StateList chart={chart} activity={activity} id={listId} />
      <div className={styles.tools}>
        <IconButton size="s" label="Zoom out" onPress={() => pan.zoomBy(1 / 1.25)}>
          <Minus size={14} aria-hidden />
        </IconButton>
        <IconButton size="s" label="Zoom in" onPress={() => pan.zoomBy(1.25)}>
          <Plus size={14} aria-hidden />
        </IconButton>
        <IconButton size="s" label="Fit the whole chart" shortcut="F" onPress={pan.fitAll}>
          <Maximize size={14} aria-hidden />
        </IconButton>
      </div>
    </>
  )
}

/** The chart as a list, for those who can't see the drawing. */
function StateList({
  chart,
  activity,
  id,
}: {
  readonly chart: MachineChart
  readonly activity: ChartActivity
  readonly id?: string
}) {
  const paths = allPaths(chart.root)
  return (
    <ul className={styles.hiddenList} id={id} aria-label={`States of ${chart.id}`}>
      {paths.map(path => (
        <li key={path}>{activity.active.has(path) ? `${path}, active` : path}</li>
      ))}
    </ul>
  )
}

const allPaths = (state: MachineChart['root']): readonly string[] =>
  state.states.flatMap(child => [child.path, ...allPaths(child)])

function ArrowHeads() {
  return (
    <defs>
      <Arrow id="chart-arrow" shape={styles.arrow} />
      <Arrow id="chart-arrow-hot" shape={styles.arrowHot} />
    </defs>
  )
}

function Arrow({ id, shape }: { readonly id: string; readonly shape: string | undefined }) {
  return (
    <marker
      id={id}
      viewBox="0 0 8 8"
      refX="7"
      refY="4"
      markerWidth="7"
      markerHeight="7"
      markerUnits="userSpaceOnUse"
      orient="auto"
    >
      <path className={shape} d="M0 1l7 3-7 3z" />
    </marker>
  )
}
