// The rows as each account sees them, side by side: one list of rows, rendered once per account.
import { CircleDashed, EyeOff, History } from 'lucide-react'
import { useEffect, useMemo, useRef, type ReactNode, type UIEvent } from 'react'
import { cx } from '../../../widgets/cx.ts'
import { BareProgress } from '../../../widgets/progress.tsx'
import { CellValue } from '../../data/grid/grid-rows.tsx'
import {
  AS_GIVEN,
  type Comparison,
  type ComparisonSnapshot,
  formatScan,
  isEnded,
  keyText,
  type LaidColumn,
  layColumns,
  type Row,
  type RowStatus,
  type TableInfo,
  valueText,
  type Viewer,
} from '../../../../services/workbench/table/index.ts'
import { useFarRows, type FarRow } from '../../data/grid/use-visible.ts'
import { formatCount } from '../../../../services/workbench/text/index.ts'
import { RequestLink } from '../../requests/request-link.tsx'
import table from '../rows-table.module.css'
import { SCROLLED } from '../scrolled.ts'
import styles from './seen-by.module.css'

/** Height of rows and headers in pixels, as in the style sheet. */
const ROW = 25

const STATUS: Readonly<
  Record<Exclude<RowStatus, 'seen'>, { readonly text: string; readonly icon: ReactNode }>
> = {
  hidden: { text: 'hidden', icon: <EyeOff size={12} aria-hidden /> },
  unconfirmed: { text: 'not confirmed', icon: <CircleDashed size={12} aria-hidden /> },
  notCompared: { text: 'not compared', icon: <CircleDashed size={12} aria-hidden /> },
  changed: { text: 'changed while comparing', icon: <History size={12} aria-hidden /> },
}

/** Scrolls all panes together. */
const scrollAlike = ({ target, currentTarget }: UIEvent<HTMLElement>) => {
  if (!(target instanceof HTMLElement) || target === currentTarget) return
  for (const other of currentTarget.querySelectorAll('[data-rows]')) {
    if (other === target) continue
    other.scrollTop = target.scrollTop
    other.scrollLeft = target.scrollLeft
  }
}

const isSame = (a: unknown, b: unknown) => valueText(a ?? null) === valueText(b ?? null)

/** Columns in which accounts see different values of a row, among loaded values. */
const differingColumns = (values: readonly (Row | undefined)[]): ReadonlySet<string> => {
  const [first, ...others] = values.filter(row => row !== undefined)
  if (first === undefined || others.length === 0) return new Set()
  return new Set(Object.keys(first).filter(name => others.some(other => !isSame(first[name], other[name]))))
}

/** A row as seen by all accounts. */
interface ShownRow extends FarRow {
  readonly label: string
  readonly statuses: readonly RowStatus[]
  readonly values: readonly (Row | undefined)[]
  readonly differing: ReadonlySet<string>
}

function SeenRow({
  row,
  at,
  columns,
  isRunning,
}: {
  readonly row: ShownRow
  /** Position of the account among the shown ones. */
  readonly at: number
  readonly columns: readonly LaidColumn[]
  readonly isRunning: boolean
}) {
  const status = row.statuses[at] ?? 'notCompared'
  const values = row.values[at]
  const isPartly = row.statuses.some(each => each !== 'seen')
  if (status !== 'seen') {
    const { text, icon } = STATUS[status]
    return (
      <tr className={cx(styles.row, styles[status])} aria-rowindex={row.index + 2}>
        <th scope="row">
          <div className={styles.cell}>{row.label}</div>
        </th>
        <td colSpan={Math.max(1, columns.length)}>
          <div className={cx(styles.cell, styles.status)}>
            {icon} {isRunning && status === 'unconfirmed' ? 'not found yet' : text}
          </div>
        </td>
      </tr>
    )
  }
  return (
    <tr className={cx(styles.row, isPartly && styles.partly)} aria-rowindex={row.index + 2}>
      <th scope="row">
        <div className={styles.cell}>{row.label}</div>
      </th>
      {columns.map(({ column }) => {
        const isOther = row.differing.has(column.name)
        return (
          <td key={column.name} className={cx(isOther && styles.other)}>
            <div className={styles.cell}>
              {values === undefined ? (
                <span className={table.null}>…</span>
              ) : (
                <CellValue column={column} value={values[column.name]} me={undefined} />
              )}
              {isOther ? <span className={styles.mark}> ≠</span> : null}
            </div>
          </td>
        )
      })}
    </tr>
  )
}

interface PaneHeadProps {
  readonly viewer: Viewer
  readonly scan: ComparisonSnapshot['scans'][number]
  readonly isRunning: boolean
  readonly link: ReactNode
}

function PaneHead({ viewer, scan, isRunning, link }: PaneHeadProps) {
  const { phase, read, total, failure } = scan
  const share = total === undefined ? undefined : Math.min(1, read / Math.max(1, total))
  return (
    <header className={styles.paneHead}>
      <div className={styles.paneLine}>
        <strong className={styles.viewer}>{viewer.name}</strong>
        <span className={styles.facts}>{formatScan(scan)}</span>
        {link}
      </div>
      {phase === 'reading' && isRunning ? (
        <BareProgress
          label={`Rows read as ${viewer.name}`}
          share={share}
          tone={failure === undefined ? 'going' : 'waiting'}
        />
      ) : null}
      {failure === undefined ? null : (
        <p role={phase === 'failed' ? 'alert' : 'status'} className={styles.refused}>
          {phase === 'failed' ? 'Not compared' : 'Retrying'}
          {failure.status === undefined ? '' : ` (${failure.status})`}: {failure.message}
        </p>
      )}
    </header>
  )
}

export interface ViewPanesProps {
  readonly comparison: Comparison
  readonly snapshot: ComparisonSnapshot
  readonly viewers: readonly Viewer[]
  /** The accounts with a pane. */
  readonly shown: readonly number[]
  /** The row numbers, in order. */
  readonly rows: readonly number[]
  readonly columns: readonly string[]
  readonly info: TableInfo
  /** Called when the console opens. */
  readonly onLeave: () => void
}

export function ViewPanes(props: ViewPanesProps) {
  const { comparison, snapshot, viewers, shown, rows, columns, info, onLeave } = props
  const { index } = comparison
  const scroller = useRef<HTMLDivElement>(null)
  const { items, drawn } = useFarRows({ count: rows.length, size: ROW, head: ROW, scroller, overscan: 10 })
  const laid = useMemo(() => {
    // The first column already shows the key.
    const wanted = columns.flatMap(name => info.columns.find(each => each.name === name && !each.isKey) ?? [])
    return layColumns(wanted, AS_GIVEN)
  }, [columns, info])
  const isRunning = !isEnded(snapshot.phase)
  const visibleText = items.flatMap(item => rows[item.index] ?? []).join()
  useEffect(() => {
    if (visibleText !== '') comparison.load(visibleText.split(',').map(Number), shown)
  }, [comparison, visibleText, shown])
  const drawnRows = items.flatMap((item): ShownRow[] => {
    const number = rows[item.index]
    if (number === undefined) return []
    const values = shown.map(account => index.valuesOf(account, number))
    return [
      {
        ...item,
        label:
          index.keys.length === 0 ? formatCount(item.index + 1) : keyText(index.keys, index.rowOf(number)),
        statuses: shown.map(account => index.status(account, number, snapshot.isRead)),
        values,
        differing: differingColumns(values),
      },
    ]
  })
  const before = items[0]?.start ?? 0
  const after = Math.max(0, drawn - before - drawnRows.length * ROW)
  const keyWidth = Math.min(
    220,
    layColumns(index.keys, AS_GIVEN).reduce((sum, each) => sum + each.width, 0) || 80,
  )
  const width = keyWidth + laid.reduce((sum, each) => sum + each.width, 0)
  return (
    <div className={styles.panes} onScrollCapture={scrollAlike}>
      {shown.map((account, at) => {
        const viewer = viewers[account]
        const scan = snapshot.scans[account]
        if (viewer === undefined || scan === undefined) return null
        return (
          <section
            key={viewer.id}
            className={styles.pane}
            aria-label={`Seen by ${viewer.name}`}
            aria-busy={isRunning}
          >
            <PaneHead
              viewer={viewer}
              scan={scan}
              isRunning={isRunning}
              link={
                <RequestLink
                  of={snapshot.requests[account]}
                  by={comparison.clients[account]}
                  label={`Show request as ${viewer.name}`}
                  onShow={onLeave}
                />
              }
            />
            <div
              {...SCROLLED}
              {...(at === 0 && { ref: scroller })}
              data-rows
              className={styles.rows}
              role="group"
              aria-label={`Rows seen by ${viewer.name}`}
            >
              <table
                className={cx(table.table, styles.table)}
                style={{ width: `max(100%, ${width}px)` }}
                aria-rowcount={rows.length + 1}
              >
                <caption className={styles.caption}>{formatScan(scan)}</caption>
                <colgroup>
                  <col style={{ width: keyWidth }} />
                  {laid.map(({ column, width: own }) => (
                    <col key={column.name} style={{ width: own }} />
                  ))}
                </colgroup>
                <thead>
                  <tr className={styles.row}>
                    <th scope="col">{index.keys.map(({ name }) => name).join(' · ') || 'row'}</th>
                    {laid.map(({ column }) => (
                      <th key={column.name} scope="col">
                        {column.name}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {before > 0 ? <tr aria-hidden className={styles.space} style={{ height: before }} /> : null}
                  {drawnRows.map(row => (
                    <SeenRow key={row.slot} row={row} at={at} columns={laid} isRunning={isRunning} />
                  ))}
                  {after > 0 ? <tr aria-hidden className={styles.space} style={{ height: after }} /> : null}
                </tbody>
              </table>
            </div>
          </section>
        )
      })}
    </div>
  )
}
