// Preview of a file's first rows, and the column for each field.
import { useMemo } from 'react'
import { cx } from '../../../widgets/cx.ts'
import { Select } from '../../../widgets/select.tsx'
import {
  type Column,
  type EmptyMeans,
  type Mapping,
  readImportedCell,
  type Source,
  valueText,
} from '../../../../services/workbench/table/index.ts'
import { SCROLLED } from '../scrolled.ts'
import styles from '../tools.module.css'
import { formatCount } from '../../../../services/workbench/text/index.ts'

export interface PreviewTableProps {
  readonly source: Source
  readonly columns: readonly Column[]
  readonly mapping: Mapping
  readonly empty: EmptyMeans
  readonly onMap: (at: number, to: string | null) => void
}

const SHOWN = 40
const LONGEST = 120
const NONE = '—'

const textOf = (cell: unknown): string => {
  if (cell === null) return 'empty'
  if (cell === undefined) return 'missing'
  return cell === '' ? '""' : valueText(cell).slice(0, LONGEST)
}

function PreviewCell(props: {
  readonly cell: unknown
  readonly column: Column | undefined
  readonly empty: EmptyMeans
  readonly kind: Source['kind']
}) {
  const { cell, column, empty, kind } = props
  const reading = column ? readImportedCell(column, cell, empty, kind) : undefined
  const error = reading && 'error' in reading ? reading.error : undefined
  const isNothing = cell === null || cell === undefined || cell === ''
  return (
    <td
      className={cx(
        styles.cell,
        !column && styles.leftOut,
        isNothing && styles.nothing,
        error !== undefined && styles.badCell,
      )}
      title={error ?? (column ? undefined : 'Skipped')}
    >
      {textOf(cell)}
      {error === undefined ? null : <span className={styles.badText}> {error}</span>}
    </td>
  )
}

/** File contents are never markup: cells are text. */
export function PreviewTable({ source, columns, mapping, empty, onMap }: PreviewTableProps) {
  const targets = mapping.map(name => columns.find(column => column.name === name))
  const options = useMemo(
    () => [
      { id: NONE, label: 'Skip' },
      ...columns.map(({ name, format }) => ({ id: name, label: `${name} · ${format}` })),
    ],
    [columns],
  )
  return (
    <section {...SCROLLED} className={styles.preview} aria-label="Preview">
      <table>
        <thead>
          <tr>
            <th scope="col" className={styles.lineNumber}>
              {source.kind === 'csv' ? 'line' : 'entry'}
            </th>
            {source.names.map((name, at) => (
              // Names may repeat.
              <th key={`${at} ${name}`} scope="col">
                <span className={styles.sourceName} title={name}>
                  {name}
                </span>
                <Select
                  label={`Column for ${name}`}
                  hideLabel
                  options={options}
                  value={mapping[at] ?? NONE}
                  onChange={id => onMap(at, id === NONE ? null : id)}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {source.rows.slice(0, SHOWN).map(row => (
            <tr key={row.line} className={cx(row.problem !== undefined && styles.badRow)} title={row.problem}>
              <td className={styles.lineNumber}>{row.line}</td>
              {source.names.map((name, at) => (
                <PreviewCell
                  key={`${at} ${name}`}
                  cell={row.problem === undefined && at >= row.cells.length ? null : row.cells[at]}
                  column={targets[at]}
                  empty={empty}
                  kind={source.kind}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {source.rows.length > SHOWN ? (
        <p className={styles.faint}>and {formatCount(source.rows.length - SHOWN)} more rows</p>
      ) : null}
    </section>
  )
}
