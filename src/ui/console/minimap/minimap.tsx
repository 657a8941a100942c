// The minimap: the whole recording in a strip, to select a range and to move the moment.
import {
  useCallback,
  useMemo,
  useState,
  type PointerEvent,
  useEffect,
  useReducer,
  type KeyboardEvent,
} from 'react'
import type { Timeline } from '../../../trace/index.ts'
import type { Tone } from '../../widgets/pill.tsx'
import { FloatingCard } from '../canvas/parts.tsx'
import { usePalette } from '../canvas/palette.ts'
import { timeScale, wholeOf, type Range } from '../canvas/time-scale.ts'
import { useCanvas } from '../canvas/use-canvas.ts'
import type { Finding } from '../checks/findings.ts'
import type { Marks } from '../model/place.ts'
import { drawMinimap } from './draw-minimap.ts'
import { OverviewLegend } from './legend.tsx'
import { overviewFacts, Overview } from './overview.ts'
import styles from './minimap.module.css'
import { useBrush } from './use-brush.ts'
import { clockTime, eventName } from '../text.ts'
import { cx } from '../../widgets/cx.ts'
import { useShownRange } from '../canvas/use-shown-range.ts'
import { useTones } from '../tone.ts'
import { useChecks, useConsole } from '../use-console.ts'

interface RangeThumbsProps {
  readonly range: Range
  readonly full: Range
  readonly xOf: (t: number) => number
  readonly onRange: (range: Range | undefined) => void
}

/** Size of a step, as a share of the whole. */
const STEP = 0.01
/** Size of a step with Shift or Page keys. */
const LEAP = 0.1

/** Both ends of the range on the overview, as sliders. */
function RangeThumbs({ range, full, xOf, onRange }: RangeThumbsProps) {
  const length = full[1] - full[0]
  const move = (end: 0 | 1, t: number) => {
    const inside = Math.min(full[1], Math.max(full[0], t))
    const next: Range = end === 0 ? [inside, range[1]] : [range[0], inside]
    if (next[1] - next[0] >= (length * STEP) / 2) onRange(next)
  }
  return ([0, 1] as const).map(end => (
    <Thumb
      key={end}
      label={end === 0 ? 'Range from' : 'Range to'}
      kind="end"
      x={xOf(range[end])}
      value={Math.round(range[end])}
      max={Math.round(full[1])}
      text={clockTime(range[end])}
      onStep={(direction, far) => move(end, range[end] + direction * (far ? LEAP : STEP) * length)}
      onEdge={edge => edge === (end === 0 ? 'first' : 'last') && move(end, full[end])}
      onEscape={() => onRange(undefined)}
    />
  ))
}

interface MomentThumbProps {
  readonly timeline: Timeline
  readonly seq: number
  readonly isFollowing: boolean
  readonly xOf: (t: number) => number
  /** Length of the whole, in milliseconds. */
  readonly length: number
  readonly onMoment: (seq: number) => void
}

/** The moment on the overview, as a slider. */
function MomentThumb({ timeline, seq, isFollowing, xOf, length, onMoment }: MomentThumbProps) {
  const t = timeline.t(seq)
  const at = Number.isNaN(t) ? 0 : t
  const last = Math.max(0, timeline.size - 1)
  const inside = (to: number) => Math.min(Math.max(0, to), last)
  return (
    <Thumb
      label="Moment"
      kind={isFollowing ? 'live' : 'moment'}
      x={xOf(at)}
      value={Math.max(0, seq)}
      max={last}
      text={`${eventName(seq)} at ${clockTime(at)}${isFollowing ? ', following the end' : ''}`}
      onStep={(direction, far) =>
        onMoment(inside(far ? momentAt(timeline, at + direction * length * LEAP) : seq + direction))
      }
      onEdge={edge => onMoment(edge === 'first' ? 0 : last)}
    />
  )
}

/** Returns the last view at or before a time. */
const momentAt = (timeline: Timeline, t: number): number => Math.max(0, timeline.countAt(t) - 1)

export interface MinimapProps {
  readonly timeline: Timeline
  /** Increases with the timeline; the caller decides how often it is drawn. */
  readonly version: number
  readonly toneOf: (seq: number) => Tone
  /** The shown moment, as the number of its view; -1 for none. */
  readonly seq: number
  readonly isFollowing: boolean
  readonly range: Range | undefined
  readonly marks: Marks
  readonly findings: readonly Finding[]
  readonly isLow: boolean
  readonly onRange: (range: Range | undefined) => void
  readonly onMoment: (seq: number) => void
}

interface Pointer {
  readonly x: number
  readonly clientX: number
  readonly clientY: number
}

/** Radius around the pointer that the hover card covers, in pixels. */
const NEAR = 4

function Minimap(props: MinimapProps) {
  const { timeline, version, toneOf, seq, isFollowing, range, marks, findings, isLow } = props
  const { onRange, onMoment } = props
  const palette = usePalette()
  const [pointer, setPointer] = useState<Pointer>()
  const full = useMemo(() => (version >= 0 ? wholeOf(timeline.end) : wholeOf(0)), [timeline, version])
  const { overview, drawn } = useOverview(timeline, version, toneOf)
  const { bookmarks } = timeline
  const draw = useCallback(
    (context: CanvasRenderingContext2D, width: number, height: number) => {
      if (drawn < 0) return
      const timesOf = (seqs: readonly number[]) => seqs.map(at => timeline.t(at))
      const outstanding = {
        findings: timesOf(findings.map(finding => finding.seq)),
        bookmarks: timesOf(bookmarks.map(({ step }) => step)),
        gaps: timeline.gaps.map(({ from, to }) => [timeline.t(from), timeline.t(to - 1)] as const),
      }
      drawMinimap(context, { overview, scale: timeScale(full, width), height, palette, outstanding })
    },
    [timeline, overview, drawn, full, palette, findings, bookmarks],
  )
  const { pane, canvas, width } = useCanvas(draw)
  const scale = timeScale(full, width)
  const brush = useBrush({ scale, full, range, onRange, onClick: t => onMoment(momentAt(timeline, t)) })
  const shown = brush.range ?? range
  const hover = (event: PointerEvent) => {
    const { clientX, clientY, currentTarget } = event
    setPointer({ x: clientX - currentTarget.getBoundingClientRect().left, clientX, clientY })
    brush.handlers.onPointerMove(event)
  }
  const isTelling = pointer && !brush.range && timeline.size > 0 && scale.t(pointer.x) <= timeline.end
  return (
    <div
      ref={pane}
      role="group"
      aria-label="Overview of the recording"
      className={styles.minimap}
      data-grip={brush.handle}
      data-low={isLow || undefined}
      {...brush.handlers}
      onPointerMove={hover}
      onPointerLeave={() => setPointer(undefined)}
    >
      <canvas ref={canvas} aria-hidden className={styles.canvas} />
      {shown ? (
        <>
          <span
            aria-hidden
            className={styles.shade}
            style={{ left: 0, width: Math.max(0, scale.x(shown[0])) }}
          />
          <span aria-hidden className={styles.shade} style={{ left: scale.x(shown[1]), right: 0 }} />
        </>
      ) : null}
      {(['a', 'b'] as const).map(mark => {
        const at = marks[mark]
        return at === undefined || at >= timeline.size ? null : (
          <span key={mark} aria-hidden className={styles.mark} style={{ left: scale.x(timeline.t(at)) }}>
            <b>{mark.toUpperCase()}</b>
          </span>
        )
      })}
      {seq >= 0 ? (
        <MomentThumb {...{ timeline, seq, isFollowing, onMoment }} xOf={scale.x} length={full[1]} />
      ) : null}
      <RangeThumbs range={shown ?? full} full={full} xOf={scale.x} onRange={onRange} />
      <OverviewLegend />
      {isTelling ? (
        <FloatingCard
          x={pointer.clientX}
          y={pointer.clientY}
          {...overviewFacts(timeline, overview, scale.t(pointer.x), NEAR * scale.perPixel, findings)}
        />
      ) : null}
    </div>
  )
}

const BATCH = 60_000

/** `version` increases with the timeline, `drawn` with every batch: earlier drawings are outdated. */
function useOverview(timeline: Timeline, version: number, toneOf: (seq: number) => Tone) {
  const overview = useMemo(() => new Overview(timeline, toneOf), [timeline, toneOf])
  const [drawn, next] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    let asked = 0
    const take = () => {
      const isMore = overview.advance(BATCH)
      next()
      if (isMore) asked = requestAnimationFrame(take)
    }
    take()
    return () => cancelAnimationFrame(asked)
  }, [overview, version])
  return { overview, drawn }
}

interface ThumbProps {
  readonly label: string
  readonly kind: 'moment' | 'live' | 'end'
  /** Distance from the left, in pixels. */
  readonly x: number
  readonly value: number
  readonly max: number
  /** Text of the value. */
  readonly text: string
  /** Called on arrow keys; `far` with Shift or Page keys. */
  readonly onStep: (direction: 1 | -1, far: boolean) => void
  readonly onEdge: (edge: 'first' | 'last') => void
  readonly onEscape?: () => void
}

/** A thumb on the minimap: a slider for the keyboard and for screen readers. */
function Thumb({ label, kind, x, value, max, text, onStep, onEdge, onEscape }: ThumbProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const act = ACTS[event.key]
    if (event.key === 'Escape' && onEscape) onEscape()
    else if (act === 'first' || act === 'last') onEdge(act)
    else if (act !== undefined) onStep(act, event.shiftKey || event.key.startsWith('Page'))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <span
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      aria-valuetext={text}
      className={cx(styles.thumb, styles[kind])}
      style={{ transform: `translateX(${x}px)` }}
      onKeyDown={onKeyDown}
    />
  )
}

const ACTS: Readonly<Record<string, 1 | -1 | 'first' | 'last'>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  PageUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageDown: -1,
  Home: 'first',
  End: 'last',
}

/** With `isLow`, it is half as high. */
export function MinimapStrip({ isLow }: { readonly isLow: boolean }) {
  const { timeline, charts, place, selection, go } = useConsole()
  const { version } = useShownRange()
  const findings = useChecks(all => all.findings)
  return (
    <Minimap
      timeline={timeline}
      version={version}
      toneOf={useTones(timeline, charts)}
      seq={selection.at}
      isFollowing={selection.following}
      range={place.range}
      marks={place.marks}
      findings={findings}
      isLow={isLow}
      onRange={range => go({ type: 'range', range })}
      onMoment={seq => go({ type: 'moment', seq })}
    />
  )
}
