// The timeline: a lane per actor, with states as spans and events as points.
import { ChartGantt } from 'lucide-react'
import { memo, useCallback, useId, useMemo, useRef, useState, type RefObject, useDeferredValue } from 'react'
import type { Timeline } from '../../../trace/index.ts'
import type { Tone } from '../../widgets/pill.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { FloatingCard, Foot } from '../canvas/parts.tsx'
import { usePalette } from '../canvas/palette.ts'
import { duration, isWhole, timeScale, type Range, revealing, parseMoment } from '../canvas/time-scale.ts'
import { useCanvas, useLayer, type Draw } from '../canvas/use-canvas.ts'
import type { Finding } from '../checks/findings.ts'
import type { Marks } from '../model/place.ts'
import { plural } from '../text.ts'
import { drawFront, drawLanes } from './draw-lanes.ts'
import { hoverFacts, laneId, LaneRows } from './lane-rows.tsx'
import { laneList, type LaneList, ROW, RULER, type TimelinePlace } from './lanes.ts'
import styles from './timeline.module.css'
import { useLaneKeys, useLanePointer } from './use-lane-controls.ts'
import { useTimelineCommands } from './use-timeline-commands.ts'
import { useShownRange } from '../canvas/use-shown-range.ts'
import { useChecks, useConsole } from '../use-console.ts'
import { useTones } from '../tone.ts'

export interface TimelineViewProps extends TimelinePlace {
  /** Increases with the timeline; the caller decides how often it is drawn. */
  readonly version: number
  readonly marks: Marks
  readonly findings: readonly Finding[]
  readonly toneOf: (seq: number) => Tone
  readonly onRange: (range: Range | undefined) => void
  readonly onRecord: (seq: number) => void
  readonly onMoment: (seq: number) => void
  readonly onActor: (actor: number) => void
}

export const TimelineView = memo(function TimelineView(props: TimelineViewProps) {
  const { timeline, version, seq, actor, full, range, marks, findings, toneOf, onRange, onActor } = props
  const palette = usePalette()
  const scroller = useRef<HTMLDivElement>(null)
  const gridId = useId()
  const goToField = useRef<HTMLInputElement>(null)
  const [top, setTop] = useState(0)
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map())
  const list = useMemo(
    () => (version >= 0 ? laneList(timeline, range, chosen) : laneList(timeline, range, chosen)),
    [timeline, version, range, chosen],
  )
  const wires = useMemo(
    () => new Map(version >= 0 ? timeline.wire.map(wire => [wire.actor, wire]) : []),
    [timeline, version],
  )
  const sceneIn = useCallback(
    (width: number, height: number) => {
      const scale = timeScale(range, width)
      return version < 0 ? undefined : { timeline, list, palette, top, height, marks, toneOf, scale }
    },
    [timeline, version, list, palette, top, marks, toneOf, range],
  )
  const draw = useCallback<Draw>(
    (context, ...size) => {
      const scene = sceneIn(...size)
      if (scene) drawLanes(context, scene)
    },
    [sceneIn],
  )
  const { pane, canvas, width, height } = useCanvas(draw)
  const drawChosen = useCallback<Draw>(
    (context, ...size) => {
      const scene = sceneIn(...size)
      if (scene) drawFront(context, { ...scene, seq, findings })
    },
    [sceneIn, seq, findings],
  )
  const front = useLayer(drawChosen, width, height)
  const scale = timeScale(range, width)
  const goTo = useCallback((next: Range) => onRange(isWhole(next, full) ? undefined : next), [onRange, full])
  const toggle = useCallback(
    (of: number, isOpen: boolean) => setChosen(known => new Map(known).set(of, isOpen)),
    [],
  )
  const onKeyDown = useLaneKeys({ ...props, list, scroller, goTo, toggle })
  const pointer = useLanePointer({ timeline, list, scale, full, top, goTo, onRecord: props.onRecord })
  useTimelineCommands({ ...props, goTo, goToField })
  if (timeline.size === 0)
    return (
      <EmptyState icon={<ChartGantt size={20} aria-hidden />} title="No time has passed yet">
        Each actor gets a lane with its first event, with states as bars and events as marks.
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
        aria-activedescendant={laneId(gridId, list, actor, top, height)}
        tabIndex={0}
        onScroll={event => setTop(event.currentTarget.scrollTop)}
        onKeyDown={onKeyDown}
      >
        <div role="presentation" style={{ height: RULER + list.lanes.length * ROW }} className={styles.sheet}>
          <div aria-hidden className={styles.corner}>
            actor
          </div>
          <div ref={pane} role="presentation" className={styles.pane} {...pointer.handlers}>
            <ChosenLane {...{ list, actor, top }} />
            <canvas ref={canvas} aria-hidden className={styles.canvas} />
            <canvas ref={front} aria-hidden className={styles.canvas} />
          </div>
          <LaneRows
            {...{ timeline, list, wires, seq, actor, range, top, height, onActor }}
            id={gridId}
            onToggle={toggle}
          />
        </div>
      </div>
      {pointer.hover ? (
        <FloatingCard {...pointer.hover} {...hoverFacts(timeline, pointer.hover, wires, findings)} />
      ) : null}
      <Foot facts={[...factsOf(list), factOfMarks(timeline, marks)]}>
        <span>W S zoom · A D move · F all</span>
        <GoToTime
          {...{ timeline, range, full, goTo }}
          field={goToField}
          onMoment={props.onMoment}
          onLeave={() => scroller.current?.focus()}
        />
      </Foot>
    </div>
  )
})

/** Behind the selected actor's lane. */
function ChosenLane({
  list,
  actor,
  top,
}: {
  readonly list: LaneList
  readonly actor: number
  readonly top: number
}) {
  const row = list.rowOf.get(actor) ?? -1
  return list.lanes[row]?.actor === actor ? (
    <div aria-hidden className={styles.behind}>
      <div className={styles.chosenLane} style={{ transform: `translateY(${row * ROW - top}px)` }} />
    </div>
  ) : null
}

const factsOf = ({ lanes, folded, outside }: LaneList) => [
  plural(lanes.length, 'lane'),
  folded > 0 && `${plural(folded, 'actor')} collapsed`,
  outside > 0 && `${plural(outside, 'actor')} not in this range`,
]

const factOfMarks = (timeline: Timeline, { a, b }: Marks) =>
  a !== undefined &&
  b !== undefined &&
  Math.max(a, b) < timeline.size &&
  `A to B ${duration(Math.abs(timeline.t(b) - timeline.t(a)))}`

interface GoToTimeProps extends Pick<TimelinePlace, 'timeline' | 'range' | 'full'> {
  readonly field: RefObject<HTMLInputElement | null>
  readonly goTo: (range: Range) => void
  readonly onMoment: (seq: number) => void
  /** Returns the focus to where it was. */
  readonly onLeave: () => void
}

/** A field that goes to a time or an event. */
function GoToTime({ timeline, field, range, full, goTo, onMoment, onLeave }: GoToTimeProps) {
  const [text, setText] = useState('')
  const moment = parseMoment(text)
  const isWrong = text !== '' && moment === undefined
  const go = () => {
    if (!moment) return
    const wanted = 't' in moment ? timeline.countAt(moment.t) - 1 : moment.seq
    const seq = Math.min(Math.max(0, wanted), timeline.size - 1)
    goTo(revealing(range, timeline.t(seq), full))
    onMoment(seq)
    setText('')
    onLeave()
  }
  return (
    <input
      ref={field}
      className={styles.goTo}
      value={text}
      aria-label="Go to time or event"
      aria-invalid={isWrong || undefined}
      placeholder="go to 1:04.8 or #812"
      title="As 1:04.8, 12.5, 400ms, 2min, or #812 for an event"
      onChange={event => setText(event.target.value)}
      onKeyDown={event => {
        if (event.key === 'Enter') go()
        else if (event.key === 'Escape') onLeave()
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )
}

export function TimelinePane() {
  const { timeline, charts, place, selection, go, pick } = useConsole()
  const { version, full, range } = useShownRange()
  const findings = useChecks(all => all.findings)
  const toneOf = useTones(timeline, charts)
  const shown = useDeferredValue(selection)
  const { seq, actor } = shown.timeline === timeline ? shown : selection
  const onRange = useCallback((next: Range | undefined) => go({ type: 'range', range: next }), [go])
  const onActor = useCallback((of: number) => go({ type: 'actor', actor: of }), [go])
  const onMoment = useCallback((at: number) => go({ type: 'moment', seq: at }), [go])
  return (
    <TimelineView
      {...{ timeline, version, seq, actor, full, range, findings, toneOf, onRange, onActor, onMoment }}
      marks={place.marks}
      onRecord={pick}
    />
  )
}
