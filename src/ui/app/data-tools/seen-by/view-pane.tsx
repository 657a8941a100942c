// What one viewer sees: the rows beside those of the others, with gaps for what is hidden from them.
import { cx } from '../../../widgets/cx.ts'
import { Spinner } from '../../../widgets/spinner.tsx'
import { RequestLink } from '../../requests/request-link.tsx'
import { valueText } from '../../data/schema.ts'
import { SCROLLED } from '../scrolled.ts'
import table from '../rows-table.module.css'
import styles from './seen-by.module.css'
import type { ComparedRow } from './compare.ts'
import type { View, Viewer } from './use-views.ts'
import { formatCount, plural } from '../../format.ts'

export interface ViewPaneProps {
  readonly viewer: Viewer
  readonly view: View
  /** Which of the rows' viewers it is. */
  readonly at: number
  readonly rows: readonly ComparedRow[]
  readonly columns: readonly string[]
  /** The console is shown. */
  readonly onLeave: () => void
}

const LONGEST = 80

function factsOf(view: View): string {
  if (view.phase !== 'seen') return ''
  const { rows, count, ms } = view
  const all = count === undefined || count === rows.length ? '' : ` of ${formatCount(count)}`
  return `${formatCount(rows.length)}${all} ${rows.length === 1 && all === '' ? 'row' : 'rows'} · ${Math.round(ms)} ms`
}

function SeenCell({ value, isOther }: { readonly value: unknown; readonly isOther: boolean }) {
  const text = value === undefined ? '' : value === null ? 'null' : valueText(value).slice(0, LONGEST)
  return (
    <td className={cx(isOther && styles.other, (value === null || value === undefined) && table.null)}>
      {text}
      {isOther ? <span className={styles.mark}> ≠</span> : null}
    </td>
  )
}

function SeenRow({
  row,
  at,
  columns,
}: {
  readonly row: ComparedRow
  readonly at: number
  readonly columns: readonly string[]
}) {
  const own = row.rows[at]
  if (own === undefined)
    return (
      <tr className={styles.hidden}>
        <th scope="row">{row.key}</th>
        <td colSpan={Math.max(1, columns.length)}>not seen</td>
      </tr>
    )
  return (
    <tr className={cx(row.isPartly && styles.partly)}>
      <th scope="row">{row.key}</th>
      {columns.map(name => (
        <SeenCell key={name} value={own[name]} isOther={row.differs.has(name)} />
      ))}
    </tr>
  )
}

export function ViewPane({ viewer, view, at, rows, columns, onLeave }: ViewPaneProps) {
  return (
    <section
      className={styles.pane}
      aria-label={`Seen by ${viewer.name}`}
      aria-busy={view.phase === 'asking'}
    >
      <header className={styles.paneHead}>
        <strong className={styles.viewer}>{viewer.name}</strong>
        {view.phase === 'asking' ? <Spinner /> : <span className={styles.facts}>{factsOf(view)}</span>}
        {view.phase !== 'asking' ? (
          <RequestLink
            of={view.requestId}
            by={view.by}
            label={`The request as ${viewer.name}`}
            onShow={onLeave}
          />
        ) : null}
      </header>
      {view.phase === 'refused' ? (
        <p role="alert" className={styles.refused}>
          {view.status === 0 ? '' : `${view.status}: `}
          {view.message}
        </p>
      ) : null}
      {view.phase === 'seen' ? (
        <div
          {...SCROLLED}
          data-rows
          className={styles.rows}
          role="group"
          aria-label={`Rows seen by ${viewer.name}`}
        >
          {rows.length === 0 ? (
            <p className={styles.none}>No rows.</p>
          ) : (
            <table className={table.table}>
              <caption className={styles.caption}>{plural(view.rows.length, 'row')}</caption>
              <thead>
                <tr>
                  <th scope="col">row</th>
                  {columns.map(name => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map(row => (
                  <SeenRow key={row.key} row={row} at={at} columns={columns} />
                ))}
              </tbody>
            </table>
          )}
        </div>
      ) : null}
    </section>
  )
}
