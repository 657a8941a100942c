// The network view: requests and sockets as a waterfall, with their states in the bars.
import { Network, ArrowDown, ArrowUp } from 'lucide-react'
import {
  memo,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  useDeferredValue,
  useSyncExternalStore,
} from 'react'
import type { Timeline, Wire } from '../../../trace/index.ts'
import { cx } from '../../widgets/cx.ts'
import { EmptyState } from '../../widgets/state.tsx'
import { Foot } from '../canvas/parts.tsx'
import { type Range, tickLabel, ticks, timeScale } from '../canvas/time-scale.ts'
import { onSeqClick, useRowWindow } from '../use-row-window.ts'
import { pointed } from '../../widgets/pointed.ts'
import { plural } from '../text.ts'
import { usePaneSize } from '../../widgets/drawing/use-pane-size.ts'
import { Row } from './network-row.tsx'
import {
  EVERYTHING,
  networkRows,
  rowOfWire,
  type NetworkRow,
  type Sorting,
  COLUMNS,
  type Column,
  countsOf,
} from './network-rows.ts'
import styles from './network.module.css'
import phases from './phases.module.css'
import { RequestDetails } from './request-details.tsx'
import { FilterBar } from './filter-bar.tsx'
import { follow, leadBack, trailOf } from './call-trail.ts'
import { useShownRange } from '../canvas/use-shown-range.ts'
import { useConsole } from '../use-console.ts'

export interface NetworkViewProps {
  readonly timeline: Timeline
  /** Increases with the timeline. */
  readonly version: number
  readonly actor: number
  /** The selected step. */
  readonly seq: number
  /** The shown moment: later calls are faint. */
  readonly at: number
  readonly range: Range
  readonly onRecord: (seq: number) => void
}

const ROW = 24
/** In a shorter pane, details are next to the list if there is room. */
const [HIGH, WIDE] = [220, 520]
/** Approximate share of the width for the waterfall. */
const SHARE = 0.42

export const NetworkView = memo(function NetworkView(props: NetworkViewProps) {
  return props.timeline.wire.length === 0 ? <Nothing /> : <Calls {...props} />
})

/** Measures its pane when it is mounted, so it is mounted once there are calls. */
function Calls(props: NetworkViewProps) {
  const { timeline, version, actor, seq, at, range, onRecord } = props
  const [sorting, setSorting] = useState<Sorting>({ column: 'start', isDescending: false })
  const [wanted, setWanted] = useState(EVERYTHING)
  const [pane, { width, height }] = usePaneSize()
  // Every group, for the counts.
  const listed = useMemo(() => {
    const { group: _, ...others } = wanted
    return version >= 0 ? networkRows(timeline, range, sorting, others) : []
  }, [timeline, version, range, sorting, wanted])
  const counts = useMemo(() => countsOf(listed), [listed])
  const rows = useMemo(
    () => (wanted.group === undefined ? listed : listed.filter(({ group }) => group === wanted.group)),
    [listed, wanted.group],
  )
  const scroller = useRef<HTMLDivElement>(null)
  const gridId = useId()
  const { items, total, reveal } = useRowWindow({ count: rows.length, size: ROW, scroller, head: ROW })
  const chosen = useMemo(() => chosenRow(timeline, rows, actor, seq), [timeline, rows, actor, seq])
  useEffect(() => {
    reveal(chosen)
  }, [chosen, reveal])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && focusDetails(pane.current)) return event.preventDefault()
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const next = by === undefined ? undefined : rows[Math.min(Math.max(0, chosen + by), rows.length - 1)]
    if (!next) return
    event.preventDefault()
    event.stopPropagation()
    onRecord(next.seq)
  }
  const details = useDetails(props, rows[chosen])
  const { row } = details
  const now = (timeline.t(at) - range[0]) / (range[1] - range[0])
  return (
    <div ref={pane} role="presentation" className={styles.network} onKeyDown={details.onKeyDown}>
      <FilterBar wanted={wanted} counts={counts} onWanted={setWanted} />
      <div className={cx(styles.body, height < HIGH && styles.beside)}>
        {rows.length === 0 ? (
          <EmptyState icon={<Network size={20} aria-hidden />} title="No matching calls in this range">
            {plural(timeline.wire.length, 'call')} hidden by the time range or the filter above.
          </EmptyState>
        ) : (
          <div
            ref={scroller}
            className={styles.scroller}
            role="grid"
            aria-label="Network"
            aria-rowcount={rows.length + 1}
            aria-activedescendant={pointed(items, chosen, `${gridId}-${rows[chosen]?.wire.id}`)}
            tabIndex={0}
            onKeyDown={onKeyDown}
            onClick={event => onSeqClick(event, onRecord)}
          >
            <Head sorting={sorting} onSort={setSorting} range={range} width={width * SHARE} />
            <div
              role="rowgroup"
              className={cx(styles.sheet, now >= 0 && now <= 1 && styles.hasNow)}
              style={{ height: total, '--now': `${(100 * now).toFixed(2)}%` } as CSSProperties}
            >
              {items.map(({ index, start }) => {
                const shown = rows[index]
                return shown ? (
                  <Row
                    key={shown.wire.id}
                    id={`${gridId}-${shown.wire.id}`}
                    {...{ timeline, row: shown, range, index, start }}
                    isChosen={index === chosen}
                    isFuture={shown.wire.seq > at}
                  />
                ) : null
              })}
            </div>
          </div>
        )}
        {row && (height >= HIGH || width >= WIDE) ? (
          <RequestDetails
            {...{ timeline, version, row, onRecord }}
            onStep={details.step}
            onCall={details.call}
          />
        ) : null}
      </div>
      <Foot facts={factsOf(rows, timeline.wire.length - rows.length)}>
        {(['token', 'queued', 'sending', 'receiving', 'backoff'] as const).map(phase => (
          <span key={phase} aria-hidden className={styles.key}>
            <span className={cx(styles.swatch, phases.phase)} data-phase={phase} />
            {phase}
          </span>
        ))}
      </Foot>
    </div>
  )
}

const focusDetails = (pane: HTMLElement | null): boolean =>
  focusFirst(pane, '[data-call-details] button[data-link]')

function focusFirst(pane: HTMLElement | null, selector: string): boolean {
  const found = pane?.querySelector<HTMLElement>(selector)
  found?.focus()
  return found !== null && found !== undefined
}

/** The call with open details: the chosen one, or the one from which a step was followed. */
function useDetails({ timeline, seq }: NetworkViewProps, chosen: NetworkRow | undefined) {
  const { place, go } = useConsole()
  const trail = useMemo(() => trailOf(timeline), [timeline])
  const last = useSyncExternalStore(trail.subscribe, trail.last)
  const followed = last?.wire && last.to === seq ? rowOfWire(timeline, last.wire) : undefined
  const row = followed ?? chosen
  const at = { timeline, layout: place.layout, go }
  return {
    row,
    step: (to: number) => follow(at, { from: row?.seq ?? seq, to, wire: row?.wire }),
    call: (wire: Wire) =>
      follow(at, { from: row?.seq ?? seq, to: rowOfWire(timeline, wire).seq, wire: undefined }),
    /** Backspace returns; Escape, too, or from the details to the list. */
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (event.key !== 'Backspace' && event.key !== 'Escape') return
      const { currentTarget, target } = event
      if (target instanceof HTMLInputElement) return
      const isInDetails = target instanceof Element && target.closest('[data-call-details]') !== null
      const isHandled = leadBack(at)
      if (!isHandled && !isInDetails) return
      event.preventDefault()
      event.stopPropagation()
      focusFirst(currentTarget, '[role=grid]')
    },
  }
}

/** Returns the row of the step, of the actor, or of its nearest ancestor with one; -1 for none. */
function chosenRow(timeline: Timeline, rows: readonly NetworkRow[], actor: number, seq: number): number {
  const exact = rows.findIndex(row => row.seq === seq)
  if (exact >= 0) return exact
  for (let of: number | undefined = actor; of !== undefined; of = timeline.actors[of]?.parent) {
    const row = rows.findIndex(({ wire }) => wire.actor === of)
    if (row >= 0) return row
    const family = timeline.family(of)
    if (family !== 'request' && family !== 'connection') return -1
  }
  return -1
}

const factsOf = (rows: readonly NetworkRow[], hidden: number) => {
  const failed = rows.filter(row => row.failed).length
  const open = rows.filter(row => row.isOpen).length
  return [
    plural(rows.length, 'call'),
    failed > 0 && `${failed} failed`,
    open > 0 && `${open} pending`,
    hidden > 0 && `${hidden} hidden`,
  ]
}

function Nothing() {
  return (
    <EmptyState icon={<Network size={20} aria-hidden />} title="No calls">
      Calls of a Chartroom client appear here, each with its states: waiting for a token, queued, sent,
      retried. For other systems, see the timeline.
    </EmptyState>
  )
}

const TITLES: Readonly<Record<Column, string>> = {
  method: 'method',
  name: 'path',
  status: 'status',
  attempts: 'tries',
  size: 'size',
  duration: 'time',
  start: 'start',
}

interface HeadProps {
  readonly sorting: Sorting
  readonly onSort: (to: Sorting) => void
  readonly range: Range
  /** Approximate width of the waterfall, in pixels. */
  readonly width: number
}

function Head({ sorting, onSort, range, width }: HeadProps) {
  return (
    <div role="row" aria-rowindex={1} className={styles.head}>
      {COLUMNS.map(column => {
        const isSorted = sorting.column === column
        const Arrow = sorting.isDescending ? ArrowDown : ArrowUp
        const order = isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : 'none'
        return (
          <span key={column} role="columnheader" aria-sort={order} className={styles[`${column}Head`]}>
            <button
              type="button"
              className={styles.sort}
              onClick={() => onSort({ column, isDescending: isSorted && !sorting.isDescending })}
            >
              {TITLES[column]}
              {isSorted ? <Arrow size={11} aria-hidden /> : null}
            </button>
            {column === 'start' ? <Ruler range={range} width={width} /> : null}
          </span>
        )
      })}
    </div>
  )
}

function Ruler({ range, width }: Pick<HeadProps, 'range' | 'width'>) {
  const scale = timeScale(range, Math.max(1, width))
  const marks = ticks(scale, 80)
  const step = (marks[1] ?? 1) - (marks[0] ?? 0)
  return (
    <span aria-hidden className={styles.ruler}>
      {marks
        .filter(t => scale.x(t) > 56 && scale.x(t) < width - 40)
        .map(t => (
          <span key={t} className={styles.tick} style={{ left: `${(100 * scale.x(t)) / scale.width}%` }}>
            {tickLabel(t, step)}
          </span>
        ))}
    </span>
  )
}

export function NetworkPane() {
  const { timeline, selection, pick } = useConsole()
  const { version, range } = useShownRange()
  const shown = useDeferredValue(selection)
  const { actor, seq, at } = shown.timeline === timeline ? shown : selection
  return <NetworkView {...{ timeline, version, actor, seq, at, range }} onRecord={pick} />
}
