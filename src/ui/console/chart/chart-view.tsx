// A machine's statechart at a moment: laid out, drawn, navigated, searched, and able to send events.
import { useRef, useId, useMemo, useState, type RefObject, memo, useSyncExternalStore } from 'react'
import type { MachineChart } from '../../../trace/index.ts'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/state.tsx'
import type { ChartActivity } from './chart-activity.ts'
import type { Counts } from './chart-counts.ts'
import { Outline } from './chart-outline.tsx'
import styles from './chart.module.css'
import type { RunningTimer } from './countdown.tsx'
import { useChartChoices, type ChartChoices } from './use-chart-choices.ts'
import { useChartLayout, type PlacedLayout } from './use-chart-layout.ts'
import { useDrag } from '../../widgets/drawing/use-drag.ts'
import type { ViewPort } from '../../widgets/drawing/view-port.ts'
import { READABLE_SCALE } from './view-port.ts'
import { cx } from '../../widgets/cx.ts'
import { drawnPath } from './chart-parts.ts'
import { ChartCard } from './chart-card.tsx'
import type { PlacedChart } from './placed-chart.ts'
import { ChartShapes, type ChartTarget, type Found } from './chart-shapes.tsx'
import { usePlaces } from '../source/source-link.tsx'
import { ChartTools } from './chart-tools.tsx'
import parts from '../canvas/parts.module.css'
import { Defs } from './defs.tsx'
import { LEAST_FOCUS } from './focus-layout.ts'
import { Minimap } from './minimap.tsx'
import { useChartCommands, useChartKeys } from './use-chart-keys.ts'
import { useViewPort } from './use-view-port.ts'
import { FONT_SIZES, canvasMeasure, CHART_FONT } from './chart-graph.ts'
import { farNames, farScale, NAME_SIZE } from './far-names.ts'
import type { Size } from './chart-geometry.ts'

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

interface DrawingProps extends ChartViewProps {
  readonly layout: PlacedLayout
  readonly paneRef: RefObject<HTMLDivElement | null>
  readonly choices: ChartChoices
}

/** Draws the chart in its pane. */
function Drawing(props: DrawingProps) {
  const { chart, layout, activity, fitAsked, pane, paneRef, choices } = props
  const { placed } = layout
  const outlineId = useId()
  const svg = useRef<SVGSVGElement>(null)
  const canvas = useRef<HTMLDivElement>(null)
  const ground = useRef<SVGGElement>(null)
  const { isFocus } = layout
  // In whole mode, the entire chart is fitted to the pane.
  const isAsked = choices.mode === 'whole' && !choices.found
  const least = isFocus ? LEAST_FOCUS : isAsked ? 0 : READABLE_SCALE
  const view = useViewPort({ placed, pane, paneRef, ground, activity, fitAsked, least })
  const counts = choices.isHeat ? props.allCounts() : props.counts
  const found = useFound(placed, choices)
  const placeOf = usePlaces(chart)
  const [announcement, announce] = useState('')
  const select = (target: ChartTarget | undefined, isOpening: boolean) => {
    choices.setTarget(target)
    choices.setOpen(isOpening && target !== undefined)
  }
  useChartCommands({ choices, view, isFocus })
  const keys = useChartKeys({ ...props, view, announce })
  const drag = useDrag(view, target => {
    const fold = target.closest('[data-fold]')?.getAttribute('data-fold')
    if (fold !== null && fold !== undefined) return keys.fold(fold)
    select(targetOf(target), true)
  })
  const canvasProps = { ...drag, onKeyDown: keys.onKeyDown, tabIndex: 0 }
  const active = [...activity.active].join(', ')
  const close = () => {
    choices.setOpen(false)
    const { activeElement, body } = document
    // A focus that the user moved elsewhere is not changed.
    if (activeElement === body || paneRef.current?.contains(activeElement)) canvas.current?.focus()
  }
  return (
    <>
      <div
        ref={canvas}
        className={styles.canvas}
        data-chart-canvas=""
        role="application"
        aria-roledescription="statechart"
        aria-label={`Chart of ${chart.id}: use arrow keys to move between states and Enter to open one`}
        aria-describedby={outlineId}
        {...canvasProps}
      >
        <svg
          ref={svg}
          className={styles.svg}
          role="img"
          aria-label={`Statechart of ${chart.id}. Active: ${active === '' ? 'none' : active}`}
        >
          <Defs>
            <g ref={ground} data-ground="" className={cx(view.following && styles.moving)}>
              <ChartShapes
                {...{ chart, placed, activity, counts, found }}
                region={view.region}
                timers={props.timers}
                folded={layout.folded}
                placeOf={placeOf}
                isHeat={choices.isHeat}
                focused={choices.target}
              />
              <FarLayer placed={placed} port={view.port} activity={activity} />
            </g>
          </Defs>
        </svg>
      </div>
      <p className={parts.unseen} role="status">
        {announcement}
      </p>
      <ChartTools
        {...{ chart, placed, view, choices, counts, svg, isFocus }}
        isComing={layout.isComing ?? false}
      />
      <Outline {...{ chart, activity, counts, choices }} id={outlineId} onPick={path => keys.center(path)} />
      <Minimap placed={placed} view={view} activity={activity} />
      {choices.isOpen && choices.target ? (
        <ChartCard
          {...{ chart, activity, choices, counts }}
          actor={props.actor}
          target={choices.target}
          onClose={close}
          onSelect={select}
        />
      ) : null}
    </>
  )
}

/** Returns the chart element below the pointer. */
function targetOf(element: Element): ChartTarget | undefined {
  const edge = element.closest('[data-edge]')?.getAttribute('data-edge')
  if (edge) {
    const own =
      element.closest('[data-names]') ?? element.closest('[data-edge]')?.querySelector('[data-names]')
    const names = own?.getAttribute('data-names')?.split('\n') ?? []
    return { kind: 'transitions', edge, names }
  }
  const path = element.closest('[data-state]')?.getAttribute('data-state')
  return path === null || path === undefined ? undefined : { kind: 'state', path }
}

/** Returns the search results among the drawn elements. */
function useFound(placed: PlacedChart, { found }: ChartChoices): Found | undefined {
  return useMemo(() => {
    if (!found) return undefined
    const drawn = new Map(placed.boxes.map(box => [box.state.path, box]))
    const names = new Set(found.transitions)
    const edges = placed.edges.filter(({ edge }) => edge.names.some(name => names.has(name)))
    return {
      states: new Set(found.states.map(path => drawnPath(path, drawn))),
      edges: new Set(edges.map(({ edge }) => edge.id)),
    }
  }, [placed, found])
}

interface FarLayerProps {
  readonly placed: PlacedChart
  readonly port: ViewPort
  readonly activity: ChartActivity
}

/** Rerenders only when the scale needs other names, not with each zoom. */
const FarLayer = memo(function FarLayer({ placed, port, activity }: FarLayerProps) {
  const scale = useSyncExternalStore(port.subscribe, () => farScale(port.view.scale))
  const widthOf = useMemo(() => {
    const measure = canvasMeasure(CHART_FONT)
    return (text: string) => (measure(text, 'state') * NAME_SIZE) / FONT_SIZES.state
  }, [])
  const { active } = activity
  const names = useMemo(
    () => (scale === undefined ? [] : farNames(placed.boxes, { scale, active, widthOf })),
    [placed, scale, active, widthOf],
  )
  if (scale === undefined) return null
  return (
    <g aria-hidden className={styles.farNames} fontSize={NAME_SIZE / scale} strokeWidth={4 / scale}>
      {names.map(({ path, text, x, y }) => (
        <text
          key={path}
          className={cx(styles.farName, active.has(path) && styles.farActive)}
          x={x}
          y={y + (NAME_SIZE * 0.36) / scale}
        >
          {text}
        </text>
      ))}
    </g>
  )
})
