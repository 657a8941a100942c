// The network: requests and sockets as a waterfall, with the states of each inside its bar.
import { ArrowDown, ArrowUp, Network } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import { cx } from '../../widgets/cx.ts'
import { EmptyState } from '../../widgets/state.tsx'
import { duration, type Range } from '../canvas/time-scale.ts'
import { onSeqClick } from '../seq-click.ts'
import { plural } from '../text.ts'
import { NetworkBar, phasesInWords } from './network-bar.tsx'
import { COLUMNS, networkRows, type Column, type NetworkRow, type Sorting } from './network-rows.ts'
import styles from './network.module.css'
import { useRowWindow } from '../use-row-window.ts'

export interface NetworkViewProps {
  readonly timeline: Timeline
  /** Grows with the timeline. */
  readonly version: number
  readonly actor: number
  /** The moment looked at: what began later is faint. */
  readonly at: number
  readonly range: Range
  readonly onRecord: (seq: number) => void
}

const ROW = 24
const TITLES: Readonly<Record<Column, string>> = {
  name: 'request',
  status: 'status',
  attempts: 'tries',
  duration: 'time',
  start: 'waterfall',
}

export function NetworkView({ timeline, version, actor, at, range, onRecord }: NetworkViewProps) {
  const [sorting, setSorting] = useState<Sorting>({ column: 'start', isDescending: false })
  const rows = useMemo(
    () => (version >= 0 ? networkRows(timeline, range, sorting) : []),
    [timeline, version, range, sorting],
  )
  const scroller = useRef<HTMLDivElement>(null)
  const { items, total, reveal } = useRowWindow({ count: rows.length, size: ROW, scroller, head: ROW })
  const chosen = rows.findIndex(({ wire }) => wire.actor === actor)
  useEffect(() => {
    reveal(chosen)
  }, [chosen, reveal])
  if (rows.length === 0) return <Nothing hasAny={timeline.wire.length > 0} />
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const next = by === undefined ? undefined : rows[Math.min(Math.max(0, chosen + by), rows.length - 1)]
    if (!next) return
    event.preventDefault()
    event.stopPropagation()
    onRecord(next.seq)
  }
  return (
    <div className={styles.network}>
      <div
        ref={scroller}
        className={styles.scroller}
        role="grid"
        aria-label="Network"
        aria-rowcount={rows.length + 1}
        aria-activedescendant={chosen >= 0 ? `wire-${actor}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onClick={event => onSeqClick(event, onRecord)}
      >
        <Head sorting={sorting} onSort={setSorting} />
        <div role="rowgroup" className={styles.sheet} style={{ height: total }}>
          {items.map(({ index, start }) => {
            const row = rows[index]
            return row ? (
              <Row
                key={row.wire.actor}
                {...{ timeline, row, range, index, start }}
                isChosen={index === chosen}
                isFuture={row.wire.seq > at}
              />
            ) : null
          })}
        </div>
      </div>
      <Foot rows={rows} hidden={timeline.wire.length - rows.length} />
    </div>
  )
}

interface RowProps {
  readonly timeline: Timeline
  readonly row: NetworkRow
  readonly range: Range
  readonly index: number
  readonly start: number
  readonly isChosen: boolean
  readonly isFuture: boolean
}

function Row({ timeline, row, range, index, start, isChosen, isFuture }: RowProps) {
  const { wire, status, outcome, attempts, failed, injected, isOpen } = row
  return (
    <div
      id={`wire-${wire.actor}`}
      role="row"
      data-seq={row.seq}
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      className={cx(styles.row, isChosen && styles.chosen, isFuture && styles.future)}
      style={{ transform: `translateY(${start}px)` }}
    >
      <span role="gridcell" className={styles.name} title={`${wire.method} ${wire.path}`}>
        <span className={styles.method}>{wire.kind === 'socket' ? 'WS' : wire.method}</span> {wire.path}
      </span>
      <span role="gridcell" className={cx(styles.status, failed && styles.failed)}>
        {status ?? ''} {outcome}
        {injected ? <span className={styles.injected}> ◆ injected</span> : null}
      </span>
      <span role="gridcell" className={styles.number}>
        {attempts}
      </span>
      <span role="gridcell" className={styles.number}>
        {duration(row.to - row.from)}
        {isOpen ? '…' : ''}
      </span>
      <span role="gridcell" className={styles.waterfall} aria-label={phasesInWords(timeline, row)}>
        <NetworkBar timeline={timeline} row={row} range={range} />
      </span>
    </div>
  )
}

function Head({ sorting, onSort }: { readonly sorting: Sorting; readonly onSort: (to: Sorting) => void }) {
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
          </span>
        )
      })}
    </div>
  )
}

function Foot({ rows, hidden }: { readonly rows: readonly NetworkRow[]; readonly hidden: number }) {
  const failed = rows.filter(row => row.failed).length
  const open = rows.filter(row => row.isOpen).length
  return (
    <p className={styles.foot}>
      {plural(rows.length, 'call')}
      {failed > 0 ? ` · ${failed} failed` : ''}
      {open > 0 ? ` · ${open} open` : ''}
      {hidden > 0 ? ` · ${hidden} not in this range` : ''}
      <span className={styles.legend} aria-hidden>
        {(['token', 'queued', 'sending', 'receiving', 'pausing'] as const).map(phase => (
          <span key={phase} className={styles.key}>
            <span className={styles.swatch} data-phase={phase} />
            {phase}
          </span>
        ))}
      </span>
    </p>
  )
}

function Nothing({ hasAny }: { readonly hasAny: boolean }) {
  return hasAny ? (
    <EmptyState icon={<Network size={20} aria-hidden />} title="No calls in this range">
      Press Escape on the overview above to look at all of the recording.
    </EmptyState>
  ) : (
    <EmptyState icon={<Network size={20} aria-hidden />} title="No requests and no sockets">
      Calls of a Chartroom client show up here, each with its states: waiting for a token, queued, sent,
      repeated. Other systems have their actors on the timeline.
    </EmptyState>
  )
}
