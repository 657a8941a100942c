// The sequence diagram: a lifeline for each actor, a row for each message between two of them.
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowLeftRight } from 'lucide-react'
import { useEffect, useMemo, useRef, type KeyboardEvent } from 'react'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import { cx } from '../../widgets/cx.ts'
import { EmptyState } from '../../widgets/state.tsx'
import { familyColour, shortPath } from '../actor-names.ts'
import type { Range } from '../canvas/time-scale.ts'
import { clockTime, count, plural } from '../text.ts'
import { onSeqClick } from '../seq-click.ts'
import { usePaneSize } from '../use-pane-size.ts'
import { Message } from './message.tsx'
import { OUTSIDE, sequence, type SequenceOptions } from './sequence-rows.ts'
import styles from './sequence.module.css'

export interface SequenceViewProps {
  readonly timeline: Timeline
  /** Grows with the timeline. */
  readonly version: number
  readonly seq: number
  readonly actor: number
  readonly range: Range
  readonly filter: Pick<SequenceOptions, 'seqAt' | 'rows'>
  readonly onRecord: (seq: number) => void
  readonly onActor: (actor: number) => void
}

const ROW = 26
const GUTTER = 72
const LINE = 132

export function SequenceView(props: SequenceViewProps) {
  const { timeline, version, seq, actor, range, filter, onRecord, onActor } = props
  const [pane, { width }] = usePaneSize()
  const room = Math.max(2, Math.floor((width - GUTTER) / LINE))
  const { seqAt, rows } = filter
  // The chosen message can always be seen.
  const from = seq < 0 ? actor : timeline.from(seq)
  const drawn = useMemo(
    () => (version >= 0 ? sequence(timeline, { range, room, keep: [actor, from], seqAt, rows }) : undefined),
    [timeline, version, range, room, actor, from, seqAt, rows],
  )
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: drawn?.seqs.length ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 6,
    scrollPaddingStart: ROW * 2,
    scrollPaddingEnd: ROW * 2,
  })
  const seqs = drawn?.seqs ?? []
  const row = lastUpTo(seqs, seq)
  useEffect(() => {
    if (row >= 0) virtual.scrollToIndex(row)
  }, [row, virtual])
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const next = by === undefined ? undefined : seqs[Math.min(Math.max(0, row + by), seqs.length - 1)]
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onRecord(next)
  }
  const lines = drawn?.lines ?? []
  const pitch = Math.max(90, (width - GUTTER) / Math.max(1, lines.length))
  const x = (line: number) => GUTTER + (line + 0.5) * pitch
  return (
    <div ref={pane} className={styles.sequence}>
      {drawn && seqs.length > 0 ? (
        <div ref={scroller} className={styles.scroller}>
          <div className={styles.heads}>
            {lines.map((of, line) => (
              <button
                key={of}
                type="button"
                tabIndex={-1}
                disabled={of === OUTSIDE}
                className={cx(styles.head, of === actor && styles.chosenHead)}
                style={{ left: x(line), maxWidth: pitch - 8 }}
                title={timeline.actors[of]?.path}
                onClick={() => onActor(of)}
              >
                <span
                  aria-hidden
                  className={styles.hue}
                  style={{ background: of === OUTSIDE ? 'var(--ink-3)' : familyColour(timeline.family(of)) }}
                />
                <span className={styles.headName}>{nameOf(timeline, of)}</span>
              </button>
            ))}
          </div>
          <div
            className={styles.sheet}
            style={{ height: virtual.getTotalSize() }}
            role="grid"
            aria-label="Sequence diagram"
            aria-rowcount={seqs.length}
            aria-activedescendant={seqs[row] === undefined ? undefined : `message-${seqs[row]}`}
            tabIndex={0}
            onKeyDown={onKeyDown}
            onClick={event => onSeqClick(event, onRecord)}
          >
            {lines.map((of, line) => (
              <span key={of} aria-hidden className={styles.lifeline} style={{ left: x(line) }} />
            ))}
            {virtual.getVirtualItems().map(({ index, start }) => {
              const at = seqs[index] ?? -1
              const [sender, receiver] = [drawn.lineOf(timeline.from(at)), drawn.lineOf(timeline.actor(at))]
              return (
                <Message
                  key={at}
                  {...{ timeline, at, index, start }}
                  fromX={x(sender)}
                  toX={x(receiver)}
                  isChosen={at === seq}
                  sentence={`${nameOf(timeline, timeline.from(at))} to ${nameOf(timeline, timeline.actor(at))}`}
                />
              )
            })}
          </div>
        </div>
      ) : (
        <EmptyState icon={<ArrowLeftRight size={20} aria-hidden />} title="No messages in this range">
          Events that one actor sends to another are drawn here. The query and the range of time decide which.
        </EmptyState>
      )}
      {drawn ? (
        <p className={styles.foot}>
          {plural(seqs.length, 'message')}
          {drawn.folded > 0 ? ` · ${count(drawn.folded)} within one actor hidden` : ''}
          {drawn.sharing > 0 ? ` · ${plural(drawn.sharing, 'actor')} drawn on those above them` : ''}
          {seqs[row] === undefined ? '' : ` · at ${clockTime(timeline.t(seqs[row]))}`}
        </p>
      ) : null}
    </div>
  )
}

function nameOf(timeline: Timeline, actor: number): string {
  const entry = timeline.actors[actor]
  return entry ? shortPath(entry) : 'outside'
}

/** Index of the last of these that is at most `seq`, or -1. */
function lastUpTo(seqs: readonly number[], seq: number): number {
  let [low, high] = [0, seqs.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((seqs[middle] ?? Infinity) <= seq) low = middle + 1
    else high = middle
  }
  return low - 1
}
