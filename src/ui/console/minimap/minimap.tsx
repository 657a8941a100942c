// The minimap: the whole recording in a strip, over which a range is brushed and the moment is moved.
import { useCallback, useMemo } from 'react'
import { density } from '../../../trace/timeline/lanes.ts'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import { usePalette } from '../canvas/palette.ts'
import { timeScale, wholeOf, type Range } from '../canvas/time-scale.ts'
import { useCanvas } from '../canvas/use-canvas.ts'
import { clockTime, count } from '../text.ts'
import { BUCKET, drawMinimap } from './draw-minimap.ts'
import styles from './minimap.module.css'
import { Thumb } from './thumb.tsx'
import { useBrush } from './use-brush.ts'

export interface MinimapProps {
  readonly timeline: Timeline
  /** Grows with the timeline; how often it is drawn is up to who hands it over. */
  readonly version: number
  /** The moment looked at, by the number of its view; -1 for none. */
  readonly seq: number
  readonly isFollowing: boolean
  readonly range: Range | undefined
  readonly onRange: (range: Range | undefined) => void
  readonly onMoment: (seq: number) => void
}

/** A hundredth of the whole, and with Shift a tenth. */
const [STEP, LEAP] = [0.01, 0.1]

export function Minimap({ timeline, version, seq, isFollowing, range, onRange, onMoment }: MinimapProps) {
  const palette = usePalette()
  const whole = useMemo(() => (version >= 0 ? wholeOf(timeline.end) : wholeOf(0)), [timeline, version])
  const draw = useCallback(
    (context: CanvasRenderingContext2D, width: number, height: number) => {
      if (version < 0) return
      const buckets = Math.max(1, Math.ceil(width / BUCKET))
      drawMinimap(context, height, density(timeline, ...whole, buckets), palette)
    },
    [timeline, version, whole, palette],
  )
  const { pane, canvas, width } = useCanvas(draw)
  const scale = timeScale(whole, width)
  const momentAt = (t: number) => Math.max(0, timeline.countAt(t) - 1)
  const brush = useBrush({ scale, whole, range, onRange, onClick: t => onMoment(momentAt(t)) })
  const shown = brush.range ?? range
  const [from, to] = shown ?? whole
  const t = timeline.t(seq)
  const at = Number.isNaN(t) ? 0 : t
  const last = timeline.size - 1
  const by = (share: number) => (whole[1] - whole[0]) * share
  const end = (which: 'from' | 'to') => (share: number) => {
    const moved = which === 'from' ? from + by(share) : to + by(share)
    const next: Range = which === 'from' ? [moved, to] : [from, moved]
    const inside: Range = [Math.max(whole[0], next[0]), Math.min(whole[1], next[1])]
    if (inside[1] - inside[0] >= by(STEP) / 2) onRange(inside)
  }
  return (
    <div
      ref={pane}
      role="group"
      aria-label="Overview of the recording"
      className={styles.minimap}
      data-grip={brush.grip}
      {...brush.handlers}
    >
      <canvas ref={canvas} aria-hidden className={styles.canvas} />
      {shown ? (
        <>
          <span aria-hidden className={styles.shade} style={{ left: 0, width: Math.max(0, scale.x(from)) }} />
          <span aria-hidden className={styles.shade} style={{ left: scale.x(to), right: 0 }} />
        </>
      ) : null}
      {seq >= 0 ? (
        <Thumb
          label="Moment"
          kind={isFollowing ? 'live' : 'moment'}
          x={scale.x(at)}
          value={seq}
          max={Math.max(0, last)}
          text={`event ${count(seq)} at ${clockTime(at)}${isFollowing ? ', following the end' : ''}`}
          onStep={(direction, far) =>
            onMoment(clampSeq(far ? momentAt(at + direction * by(LEAP)) : seq + direction, last))
          }
          onEdge={edge => onMoment(edge === 'first' ? 0 : last)}
        />
      ) : null}
      <Thumb
        label="Range from"
        kind="end"
        x={scale.x(from)}
        value={Math.round(from)}
        max={Math.round(whole[1])}
        text={clockTime(from)}
        onStep={(direction, far) => end('from')(direction * (far ? LEAP : STEP))}
        onEdge={edge => edge === 'first' && onRange([whole[0], to])}
        onEscape={() => onRange(undefined)}
      />
      <Thumb
        label="Range to"
        kind="end"
        x={scale.x(to)}
        value={Math.round(to)}
        max={Math.round(whole[1])}
        text={clockTime(to)}
        onStep={(direction, far) => end('to')(direction * (far ? LEAP : STEP))}
        onEdge={edge => edge === 'last' && onRange([from, whole[1]])}
        onEscape={() => onRange(undefined)}
      />
    </div>
  )
}

const clampSeq = (seq: number, last: number): number => Math.min(Math.max(0, seq), Math.max(0, last))
