// Import, step 2: column mapping, problems, and the start button.
import { useMemo } from 'react'
import { Button } from '../../../widgets/button.tsx'
import { DialogActions } from '../../../widgets/dialog.tsx'
import { Progress } from '../../../widgets/progress.tsx'
import type { OnDuplicate } from '../../../../services/workbench/jobs/index.ts'
import {
  type ImportAction,
  insertColumns,
  type ImportState,
  missingColumns,
  type ReadRows,
  type TableInfo,
  type Column,
  type Delimiter,
  DELIMITERS,
  type EmptyMeans,
  type FileRows,
  type ImportChoices,
  type Mapping,
  readImportedCell,
  type Source,
  valueText,
} from '../../../../services/workbench/table/index.ts'
import { Notice } from '../../shell/page.tsx'
import styles from '../tools.module.css'
import { failedOf, ProblemList } from './problem-list.tsx'
import { useChecked, type Checked } from './use-import.ts'
import { formatCount, plural } from '../../../../services/workbench/text/index.ts'
import { Select } from '../../../widgets/select.tsx'
import { cx } from '../../../widgets/cx.ts'
import { SCROLLED } from '../scrolled.ts'

export type MapState = Extract<ImportState, { step: 'map' }>

export interface MapStepProps {
  readonly state: MapState
  readonly info: TableInfo
  readonly dispatch: (action: ImportAction) => void
  readonly onStart: (read: ReadRows) => void
  /** Why the import cannot start, for example because another one is running. */
  readonly hindrance: string | undefined
}

/** Why nothing can be sent yet; undefined when it can. */
const hindranceOf = ({ state, info }: MapStepProps, checked: Checked): string | undefined => {
  const missing = missingColumns(insertColumns(info), state.mapping)
  if (state.mapping.every(name => name === null)) return 'Map at least one field to a column.'
  if (missing.length > 0)
    return `${missing.map(({ name }) => name).join(', ')} must have a value: map a field to it.`
  if (!checked.isDone) return undefined
  if (checked.ready.length === 0) return 'None of the rows can be imported.'
  if (state.choices.isWhole && checked.bad.length > 0)
    return `All or nothing: ${plural(checked.bad.length, 'row')} can’t be imported.`
  return undefined
}

export function MapStep(props: MapStepProps) {
  const { state, info, dispatch, onStart } = props
  const { source, columns, mapping, choices, rows, file } = state
  const checked = useChecked(source, columns, mapping, choices.empty)
  const hindrance = props.hindrance ?? hindranceOf(props, checked)
  const keys = info.columns.filter(column => column.isKey && mapping.includes(column.name))
  const isWholeKey = keys.length > 0 && keys.length === info.columns.filter(column => column.isKey).length
  const failed = useMemo(() => failedOf(checked.bad, checked.problems), [checked])
  return (
    <>
      <p className={styles.faint}>
        {file.name} · {plural(source.rows.length, 'row')} · {plural(source.names.length, 'field')}
      </p>
      {rows.isDamaged ? (
        <Notice tone="fail">
          The file is not UTF-8: some characters cannot be read. Save it as UTF-8 and choose it again, or they
          will be imported as �.
        </Notice>
      ) : null}
      <ImportChoicesBar
        rows={rows}
        choices={choices}
        keys={isWholeKey ? keys : []}
        onChoose={next => dispatch({ type: 'choice.made', choices: next, info })}
        onDelimiter={delimiter => dispatch({ type: 'file.chosen', file, delimiter })}
      />
      <PreviewTable
        source={source}
        columns={columns}
        mapping={mapping}
        empty={choices.empty}
        onMap={(at, to) => dispatch({ type: 'column.mapped', at, to })}
      />
      {checked.isDone || source.rows.length < 20_000 ? null : (
        <Progress
          label="Checking rows"
          share={checked.looked / source.rows.length}
          text={`${formatCount(checked.looked)} of ${formatCount(source.rows.length)}`}
        />
      )}
      <ProblemList
        title={`${plural(checked.bad.length, 'row')} can’t be imported`}
        problems={checked.problems}
        source={source}
        failed={failed}
        fileName={`${info.name}-problems`}
      />
      {hindrance === undefined ? null : <Notice>{hindrance}</Notice>}
      <DialogActions>
        <Button onPress={() => dispatch({ type: 'left' })}>Choose another file</Button>
        <Button
          variant="primary"
          isDisabled={hindrance !== undefined || !checked.isDone}
          onPress={() => onStart(checked)}
        >
          Import {plural(checked.ready.length, 'row')}
        </Button>
      </DialogActions>
    </>
  )
}

const DELIMITER_NAMES: Readonly<Record<Delimiter, string>> = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Bar',
}
const EMPTY: readonly { readonly id: EmptyMeans; readonly label: string }[] = [
  { id: 'null', label: 'Null' },
  { id: 'default', label: 'Column default' },
  { id: 'text', label: 'Empty text where possible' },
]
const SENDING = [
  { id: 'batches', label: 'Skip invalid rows' },
  { id: 'whole', label: 'All or nothing' },
] as const
const DUPLICATES: readonly { readonly id: OnDuplicate; readonly label: string }[] = [
  { id: 'refuse', label: 'Fail' },
  { id: 'skip', label: 'Skip' },
  { id: 'update', label: 'Overwrite' },
]

interface ImportChoicesProps {
  readonly rows: FileRows
  readonly choices: ImportChoices
  readonly keys: readonly Column[]
  readonly onChoose: (choices: Partial<ImportChoices>) => void
  readonly onDelimiter: (delimiter: Delimiter) => void
}

/** CSV has more options than JSON. */
function ImportChoicesBar({ rows, choices, keys, onChoose, onDelimiter }: ImportChoicesProps) {
  return (
    <div className={styles.choices}>
      {rows.kind === 'json' ? null : (
        <>
          <Select
            label="Delimiter"
            options={DELIMITERS.map(id => ({ id, label: DELIMITER_NAMES[id] }))}
            value={rows.delimiter}
            onChange={onDelimiter}
          />
          <Select
            label="First row"
            options={[
              { id: 'names', label: 'Column names' },
              { id: 'values', label: 'Values' },
            ]}
            value={choices.hasHead ? 'names' : 'values'}
            onChange={id => onChoose({ hasHead: id === 'names' })}
          />
          <Select
            label="Empty fields"
            options={EMPTY}
            value={choices.empty}
            onChange={empty => onChoose({ empty })}
          />
        </>
      )}
      {keys.length === 0 ? null : (
        <Select
          label={`If ${keys.map(({ name }) => name).join(', ')} already exists`}
          options={DUPLICATES}
          value={choices.onDuplicate}
          onChange={onDuplicate => onChoose({ onDuplicate })}
        />
      )}
      <Select
        label="Import"
        options={SENDING}
        value={choices.isWhole ? 'whole' : 'batches'}
        onChange={id => onChoose({ isWhole: id === 'whole' })}
      />
    </div>
  )
}

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
function PreviewTable({ source, columns, mapping, empty, onMap }: PreviewTableProps) {
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
