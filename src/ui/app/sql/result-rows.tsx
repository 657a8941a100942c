// The rows of a result with their tools: whether they can be edited, what is not saved, copies, and the table they are of.
import { Link } from '@tanstack/react-router'
import { Copy, Download, Undo2 } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Button } from '../../widgets/button.tsx'
import { ActionMenu, MenuButton } from '../../widgets/menu.tsx'
import { saveAs } from '../../widgets/save-as.ts'
import {
  readOnlyReason,
  type ResultEdits,
  resultText,
  type SqlRows,
  tableOfResult,
} from '../../../services/workbench/sql/index.ts'
import { toTableSearch } from '../../../services/workbench/table/index.ts'
import { plural } from '../../../services/workbench/text/index.ts'
import { useTables } from '../data/tables.tsx'
import { copyText } from '../shell/copy-text.ts'
import { ResultGrid } from './result-grid.tsx'
import { UnsavedEdits } from './unsaved-edits.tsx'
import styles from './sql.module.css'

export interface ResultRowsProps {
  readonly statement: SqlRows
  readonly edits: ResultEdits
  /** Of the statement in the script. */
  readonly number: number
  /** Called with the number of the cursor's row. */
  readonly onRow: (index: number) => void
}

export function ResultRows({ statement, edits, number, onRow }: ResultRowsProps) {
  const state = useSyncExternalStore(edits.subscribe, edits.state)
  if (statement.columns.length === 0)
    return <p className={styles.faint}>{plural(statement.rows.length, 'row')} without columns.</p>
  if (statement.rows.length === 0)
    return (
      <p className={styles.faint}>
        No rows. Columns: {statement.columns.map(({ name, type }) => `${name} ${type}`).join(', ')}.
      </p>
    )
  return (
    <>
      <UnsavedEdits edits={edits} state={state} />
      <div className={styles.grid}>
        <ResultGrid
          statement={statement}
          name={`result ${number}`}
          edits={edits}
          state={state}
          onRow={onRow}
        />
      </div>
    </>
  )
}

const FORMATS = [
  { id: 'csv', title: 'CSV', type: 'text/csv' },
  { id: 'json', title: 'JSON', type: 'application/json' },
  { id: 'markdown', title: 'Markdown', type: 'text/markdown' },
] as const

export interface RowToolsProps extends Pick<ResultRowsProps, 'statement' | 'edits' | 'number'> {
  /** The number of the cursor's row. */
  readonly row: number | undefined
}

export function RowTools({ statement, edits, row, number }: RowToolsProps) {
  const { rows, hasMore } = statement
  return (
    <>
      <span className={styles.rowCount}>
        {hasMore ? `First ${plural(rows.length, 'row')} of more` : plural(rows.length, 'row')}
      </span>
      {rows.length === 0 ? null : <EditingNote statement={statement} edits={edits} />}
      <span className={styles.rowTools}>
        <OpenTable statement={statement} edits={edits} row={row} />
        <MenuButton text="Copy" icon={<Copy size={13} aria-hidden />}>
          <ActionMenu
            label="Copy"
            actions={FORMATS.map(({ id, title }) => ({
              id,
              title,
              run: () =>
                void copyText(
                  resultText(id, edits.statement()),
                  `Copied ${plural(rows.length, 'row')} as ${title}`,
                ),
            }))}
          />
        </MenuButton>
        <MenuButton text="Download" icon={<Download size={13} aria-hidden />}>
          <ActionMenu
            label="Download"
            actions={FORMATS.map(({ id, title, type }) => ({
              id,
              title,
              run: () =>
                saveAs(
                  new Blob([resultText(id, edits.statement())], { type }),
                  `result-${number}.${id === 'markdown' ? 'md' : id}`,
                ),
            }))}
          />
        </MenuButton>
      </span>
    </>
  )
}

function EditingNote({ statement, edits }: Pick<ResultRowsProps, 'statement' | 'edits'>) {
  const { canUndo } = useSyncExternalStore(edits.subscribe, edits.state)
  const reason = readOnlyReason(statement)
  if (reason !== undefined) return <span className={styles.faint}>Read-only: {reason}</span>
  return (
    <>
      <span className={styles.faint}>Editable</span>
      {canUndo ? (
        <Button size="s" variant="quiet" icon={<Undo2 size={13} aria-hidden />} onPress={edits.undo}>
          Undo
        </Button>
      ) : null}
    </>
  )
}

/** The table shows the cursor's row to the account that is signed in, if its policies do. */
function OpenTable({ statement, edits, row }: Pick<RowToolsProps, 'statement' | 'edits' | 'row'>) {
  const { schemas } = useTables()
  useSyncExternalStore(edits.subscribe, edits.state)
  const from = tableOfResult(statement)
  if (!from || !schemas.get(from.schema)?.some(({ name }) => name === from.table)) return null
  const [name = ''] = edits.columns.keys()
  const key = row === undefined ? undefined : edits.keyAt(row, name)
  const filters = (key ?? []).map(
    ({ column, value }) => ({ column, operator: 'eq', value, negate: false }) as const,
  )
  return (
    <Link
      to="/data/$table"
      params={{ table: from.table }}
      search={toTableSearch({ ...from, columns: [], sorts: [], filters })}
    >
      {key && row !== undefined ? `Open ${from.table} at row ${row + 1}` : `Open ${from.table}`}
    </Link>
  )
}
