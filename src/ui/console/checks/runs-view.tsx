// Two runs side by side, virtualized: a recording on the left, its replay or another recording on the right.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { cx } from '../../widgets/cx.ts'
import { onSeqClick } from '../use-row-window.ts'
import { pointed } from '../../widgets/pointed.ts'
import { clockTime, count } from '../text.ts'
import { useConsole } from '../use-console.ts'
import type { AlignedRow, AlignedRun, Cell } from './align.ts'
import { Changes } from './changes.tsx'
import styles from './checks.module.css'

const ROW = 24

type Sides = readonly [left: string, right: string]

const kindInWords = (kind: AlignedRow['kind'], [left, right]: Sides): string =>
  ({
    alike: 'identical',
    first: 'first difference',
    values: 'different values',
    differs: 'different',
    gone: `${left} only`,
    added: `${right} only`,
  })[kind]

const REPLAY: Sides = ['recorded', 'replayed']

interface RunsViewProps {
  readonly runs: AlignedRun
  /** Names of both runs. */
  readonly sides?: Sides
}

export function RunsView({ runs, sides = REPLAY }: RunsViewProps) {
  const { rows, before, after } = runs
  const { pick } = useConsole()
  const first = rows.findIndex(({ kind }) => kind === 'first')
  const [chosen, choose] = useState(first)
  const scroller = useRef<HTMLDivElement>(null)
  const gridId = useId()
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 8,
    scrollPaddingStart: ROW,
  })
  useEffect(() => {
    if (first >= 0) virtual.scrollToIndex(first, { align: 'center' })
  }, [first, virtual])
  const show = (at: number) => {
    const index = Math.min(Math.max(0, at), rows.length - 1)
    choose(index)
    virtual.scrollToIndex(index)
    const seq = rows[index]?.was?.seq
    if (seq !== undefined) pick(seq)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: chosen + 1, ArrowUp: chosen - 1, Home: 0, End: rows.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    show(to)
  }
  return (
    <section className={styles.runs} aria-label="Both runs">
      <p className={styles.faint}>
        {before > 0 ? `${count(before)} earlier events are identical. ` : ''}
        {after > 0 ? `${count(after)} later events are not shown.` : ''}
      </p>
      <div
        ref={scroller}
        className={styles.runsBox}
        role="grid"
        aria-label="Both runs"
        aria-rowcount={rows.length + 1}
        aria-activedescendant={pointed(virtual.getVirtualItems(), chosen, `${gridId}-${chosen}`)}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onClick={event => onSeqClick(event, show)}
      >
        <div role="row" aria-rowindex={1} className={styles.runsHead}>
          <span role="columnheader">{sides[0]}</span>
          <span role="columnheader">{sides[1]}</span>
        </div>
        <div role="rowgroup" className={styles.sheet} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]
            return row ? (
              <Row
                key={index}
                id={`${gridId}-${index}`}
                row={row}
                index={index}
                start={start}
                isChosen={index === chosen}
                sides={sides}
              />
            ) : null
          })}
        </div>
      </div>
      <Changes changes={rows[chosen]?.changes ?? []} />
    </section>
  )
}

interface RowProps {
  readonly id: string
  readonly row: AlignedRow
  readonly index: number
  readonly start: number
  readonly isChosen: boolean
  readonly sides: Sides
}

function Row({ id, row, index, start, isChosen, sides }: RowProps) {
  const { was, is, kind } = row
  return (
    <div
      id={id}
      role="row"
      data-seq={index}
      data-kind={kind}
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      title={kindInWords(kind, sides)}
      className={cx(styles.run, isChosen && styles.chosen)}
      style={{ top: start }}
    >
      <Side cell={was} kind={kindInWords(kind, sides)} />
      <Side cell={is} kind={kindInWords(kind, sides)} />
    </div>
  )
}

/** Missing steps are labeled, so that color is not the only cue. */
function Side({ cell, kind }: { readonly cell: Cell | undefined; readonly kind: string }) {
  if (!cell) {
    return (
      <span role="gridcell" className={styles.absent}>
        —<span className={styles.faint}> {kind}</span>
      </span>
    )
  }
  const { seq, t, actor, event, state } = cell
  return (
    <span role="gridcell" className={styles.cell}>
      <span className={styles.seq}>{seq}</span>
      <span className={styles.time}>{clockTime(t)}</span>
      <span className={styles.cellText}>
        <span className={styles.cellActor}>{actor}</span> {event} → {state}
      </span>
    </span>
  )
}
