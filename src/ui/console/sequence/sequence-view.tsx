// The sequence diagram: a lifeline per actor and a row per message between two of them.
import { ArrowLeftRight } from 'lucide-react'
import {
  memo,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  type KeyboardEvent,
  useMemo,
  useDeferredValue,
} from 'react'
import { type Timeline, shortPath, countUpToNumber } from '../../../trace/index.ts'
import { EmptyState } from '../../widgets/state.tsx'
import { Foot } from '../canvas/parts.tsx'
import type { Range } from '../canvas/time-scale.ts'
import { onSeqClick, useRowWindow } from '../use-row-window.ts'
import { pointed } from '../../widgets/pointed.ts'
import { count, plural } from '../text.ts'
import { usePaneSize } from '../../widgets/drawing/use-pane-size.ts'
import { Message } from './message.tsx'
import {
  ELSEWHERE,
  type SequenceEvents,
  OUTSIDE,
  busiest,
  lifelines,
  messagesIn,
  sequenceWindow,
  type Lifelines,
  type SequenceWindow,
} from './sequence-rows.ts'
import styles from './sequence.module.css'
import { cx } from '../../widgets/cx.ts'
import { familyColor, ownName } from '../actor-names.ts'
import { useShownRange } from '../canvas/use-shown-range.ts'
import { useConsole } from '../use-console.ts'
import { useThrottled } from '../use-paced.ts'

interface HeadsProps {
  readonly timeline: Timeline
  readonly lines: readonly number[]
  readonly actor: number
  readonly xOf: (line: number) => number
  /** Distance between lines, in pixels. */
  readonly pitch: number
  readonly onActor: (actor: number) => void
}

/** The heads of the lifelines, which select their actor, and the lines below them. */
const Heads = memo(function Heads({ timeline, lines, actor, xOf, pitch, onActor }: HeadsProps) {
  return (
    <div className={styles.heads}>
      {lines.map((of, line) => (
        <button
          key={line}
          type="button"
          tabIndex={-1}
          disabled={of === OUTSIDE}
          className={cx(styles.head, of === actor && styles.chosenHead)}
          style={{ left: xOf(line), maxWidth: pitch - 8 }}
          title={timeline.actors[of]?.path}
          onClick={() => onActor(of)}
        >
          <span
            aria-hidden
            className={styles.hue}
            style={{ background: of === OUTSIDE ? 'var(--ink-3)' : familyColor(timeline.family(of)) }}
          />
          <span className={styles.headName}>{headName(timeline, of)}</span>
        </button>
      ))}
    </div>
  )
})

/** Returns the actor's own name; its full path is in the title. */
function headName(timeline: Timeline, actor: number): string {
  const entry = timeline.actors[actor]
  return entry ? ownName(entry, timeline.actors) : 'outside'
}

/** Returns the path without the root's name, or `outside`. */
function nameOf(timeline: Timeline, actor: number): string {
  const entry = timeline.actors[actor]
  return entry ? shortPath(entry) : 'outside'
}

export interface SequenceViewProps {
  readonly timeline: Timeline
  /** Increases with the timeline. */
  readonly version: number
  /** The selected view, or -1. */
  readonly seq: number
  /** The moment, as a view number: only the surroundings are laid out in a long recording. */
  readonly at: number
  readonly actor: number
  readonly range: Range
  readonly events: SequenceEvents
  readonly onRecord: (seq: number) => void
  readonly onActor: (actor: number) => void
}

const ROW = 26
const GUTTER = 72
const LINE = 104

const SequenceView = memo(function SequenceView(props: SequenceViewProps) {
  const { timeline, seq, actor, onRecord, onActor } = props
  const id = useId()
  const [pane, { width }] = usePaneSize()
  const drawn = useSequence({ ...props, room: Math.floor((width - GUTTER) / LINE) })
  const { seqs, lines } = drawn
  const scroller = useRef<HTMLDivElement>(null)
  const { items, total, reveal } = useRowWindow({ count: seqs.length, size: ROW, scroller, head: ROW })
  const row = countUpToNumber(seqs, seq) - 1
  const show = useEffectEvent(() => reveal(row))
  useEffect(() => show(), [row, seqs])
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const next = by === undefined ? undefined : seqs[Math.min(Math.max(0, row + by), seqs.length - 1)]
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onRecord(next)
  }
  const pitch = Math.max(90, (width - GUTTER) / Math.max(1, lines.length))
  const xOf = useCallback(
    (line: number) => (line === ELSEWHERE ? GUTTER : GUTTER + (line + 0.5) * pitch),
    [pitch],
  )
  return (
    <div ref={pane} className={styles.sequence}>
      {seqs.length > 0 ? (
        <div ref={scroller} className={styles.scroller}>
          <Heads {...{ timeline, lines, actor, xOf, pitch, onActor }} />
          <div
            className={styles.sheet}
            style={{ height: total }}
            role="grid"
            aria-label="Sequence diagram"
            aria-rowcount={seqs.length}
            aria-activedescendant={pointed(items, row, `${id}-${seqs[row]}`)}
            tabIndex={0}
            onKeyDown={onKeyDown}
            onClick={event => onSeqClick(event, onRecord)}
          >
            {lines.map((_, line) => (
              <span key={line} aria-hidden className={styles.lifeline} style={{ left: xOf(line) }} />
            ))}
            {items.map(({ index, start, slot }) => {
              const at = seqs[index] ?? -1
              const [from, to] = [timeline.from(at), timeline.actor(at)]
              return (
                <Message
                  key={slot}
                  id={`${id}-${at}`}
                  {...{ timeline, at, index, start }}
                  before={seqs[index - 1] ?? -1}
                  fromX={xOf(drawn.lineOf(from))}
                  toX={xOf(drawn.lineOf(to))}
                  right={width}
                  isChosen={at === seq}
                  sentence={`${nameOf(timeline, from)} to ${nameOf(timeline, to)}`}
                />
              )
            })}
          </div>
        </div>
      ) : (
        <EmptyState icon={<ArrowLeftRight size={20} aria-hidden />} title="No messages in this range">
          Events between actors appear here, filtered by the query and the time range.
        </EmptyState>
      )}
      <Foot facts={factsOf(drawn)} />
    </div>
  )
})

const factsOf = ({ seqs, sharing, before, after }: LaidOut) => [
  plural(seqs.length, 'message'),
  (before > 0 || after > 0) &&
    `around the moment: ${count(before)} earlier and ${count(after)} later events not shown`,
  sharing > 0 && `${plural(sharing, 'actor')} merged into parents`,
]

interface SequenceOptions extends Omit<SequenceViewProps, 'onRecord' | 'onActor'> {
  /** Number of lifelines that fit. */
  readonly room: number
}

interface LaidOut extends Lifelines, Pick<SequenceWindow, 'before' | 'after'> {
  /** Numbers of the views whose messages are drawn, ascending. */
  readonly seqs: readonly number[]
}

/** The sequence diagram of the shown place; only changed parts are laid out again. */
function useSequence(options: SequenceOptions): LaidOut {
  const { timeline, version, events, range, seq, at, actor, room } = options
  const { from, to, before, after } = sequenceWindow(timeline, events, range, at)
  const seqs = useMemo(
    () => (version >= 0 ? messagesIn(timeline, events, { from, to }) : []),
    [timeline, version, events, from, to],
  )
  const ranked = useMemo(() => busiest(timeline, seqs), [timeline, seqs])
  // The selected actor and the sender of the selected message always have a lifeline.
  const sender = seq < 0 ? actor : timeline.from(seq)
  const drawn = useMemo(
    () => lifelines(timeline, ranked, room, [actor, sender]),
    [timeline, ranked, room, actor, sender],
  )
  return useMemo(() => ({ ...drawn, seqs, before, after }), [drawn, seqs, before, after])
}

/** How often it is laid out while rows are added. */
const PACE_MS = 250

export function SequencePane() {
  const { timeline, selection, filter, go, pick } = useConsole()
  const { version, range } = useShownRange()
  const rows = useThrottled(filter.length, PACE_MS)
  const events = useMemo(() => ({ seqAt: (row: number) => filter.seqAt(row), rows }), [filter, rows])
  const shown = useDeferredValue(selection)
  const { seq, at, actor } = shown.timeline === timeline ? shown : selection
  const onActor = useCallback((of: number) => go({ type: 'actor', actor: of }), [go])
  return <SequenceView {...{ timeline, version, seq, at, actor, range, events, onActor }} onRecord={pick} />
}
