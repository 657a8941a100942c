// The timeline: a lane for each actor, its states as spans and its events as points.
import { useCallback, useMemo, useRef, useState } from 'react'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import type { Tone } from '../../widgets/pill.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { usePalette } from '../canvas/palette.ts'
import { isWhole, timeScale, wholeOf, type Range } from '../canvas/time-scale.ts'
import { useCanvas } from '../canvas/use-canvas.ts'
import { plural } from '../text.ts'
import { drawLanes, ROW, RULER, type Scene } from './draw-lanes.ts'
import { HoverCard } from './hover-card.tsx'
import { laneLabel } from './lane-labels.ts'
import { LaneRows } from './lane-rows.tsx'
import { laneList } from './lanes.ts'
import styles from './timeline.module.css'
import { useLaneKeys } from './use-lane-keys.ts'
import { useLanePointer } from './use-lane-pointer.ts'

export interface TimelineViewProps {
  readonly timeline: Timeline
  /** Grows with the timeline; how often it is drawn is up to who hands it over. */
  readonly version: number
  /** The chosen view, of the chosen actor; -1 for none. */
  readonly seq: number
  readonly actor: number
  readonly range: Range | undefined
  readonly toneOf: (seq: number) => Tone
  readonly onRange: (range: Range | undefined) => void
  readonly onRecord: (seq: number) => void
  readonly onActor: (actor: number) => void
}

export function TimelineView(props: TimelineViewProps) {
  const { timeline, version, seq, actor, toneOf, onRange, onActor } = props
  const palette = usePalette()
  const scroller = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map())
  const whole = useMemo(() => (version >= 0 ? wholeOf(timeline.end) : wholeOf(0)), [timeline, version])
  const range = props.range ?? whole
  const list = useMemo(
    () => (version >= 0 ? laneList(timeline, range, chosen) : laneList(timeline, range, chosen)),
    [timeline, version, range, chosen],
  )
  const wires = useMemo(
    () => new Map(version >= 0 ? timeline.wire.map(wire => [wire.actor, wire]) : []),
    [timeline, version],
  )
  const draw = useCallback(
    (context: CanvasRenderingContext2D, width: number, height: number) => {
      if (version < 0) return
      const sliceLabel = (of: number) => laneLabel(timeline, of, wires.get(of))
      const scene: Scene = {
        timeline,
        list,
        palette,
        top,
        height,
        seq,
        actor,
        toneOf,
        sliceLabel,
        scale: timeScale(range, width),
      }
      drawLanes(context, scene)
    },
    [timeline, version, list, palette, top, seq, actor, toneOf, range, wires],
  )
  const { pane, canvas, width, height } = useCanvas(draw)
  const scale = timeScale(range, width)
  const goTo = (next: Range) => onRange(isWhole(next, whole) ? undefined : next)
  const toggle = (of: number, isOpen: boolean) => setChosen(known => new Map(known).set(of, isOpen))
  const onKeyDown = useLaneKeys({ ...props, list, range, whole, scroller, goTo, toggle })
  const pointer = useLanePointer({ timeline, list, scale, whole, top, goTo, onRecord: props.onRecord })
  if (timeline.size === 0)
    return (
      <EmptyState title="No time has passed yet">
        Each actor gets a lane here with its first event: its states as bars, its events as marks.
      </EmptyState>
    )
  return (
    <div className={styles.timeline}>
      <div
        ref={scroller}
        className={styles.scroller}
        role="grid"
        aria-label="Timeline"
        aria-rowcount={list.lanes.length}
        aria-activedescendant={list.rowOf.has(actor) ? `lane-${actor}` : undefined}
        tabIndex={0}
        onScroll={event => setTop(event.currentTarget.scrollTop)}
        onKeyDown={onKeyDown}
      >
        <div role="presentation" style={{ height: RULER + list.lanes.length * ROW }} className={styles.sheet}>
          <div aria-hidden className={styles.corner}>
            actor
          </div>
          <div ref={pane} role="presentation" className={styles.pane} {...pointer.handlers}>
            <canvas ref={canvas} aria-hidden className={styles.canvas} />
          </div>
          <LaneRows
            {...{ timeline, list, wires, seq, actor, range, top, height, onActor }}
            onToggle={toggle}
          />
        </div>
      </div>
      {pointer.hover ? <HoverCard timeline={timeline} {...pointer.hover} /> : null}
      <p className={styles.foot}>
        {plural(list.lanes.length, 'lane')}
        {list.folded > 0 ? ` · ${plural(list.folded, 'actor')} folded` : ''}
        {list.outside > 0 ? ` · ${plural(list.outside, 'actor')} not in this range` : ''}
        <span className={styles.hint}>W S zoom · A D move · ← → events · ↑ ↓ lanes</span>
      </p>
    </div>
  )
}
