// Unsaved changes: the reason, conflicting values, and actions.
import { TriangleAlert, Workflow } from 'lucide-react'
import { Button } from '../../../widgets/button.tsx'
import { plural } from '../../../../services/workbench/text/index.ts'
import {
  type Cell,
  cellOf,
  type Deletion,
  type Edit,
  type Row,
  rowName,
} from '../../../../services/workbench/table/index.ts'
import type { TableModel } from '../use-table.ts'
import { whyActor } from '../../requests/questions.ts'
import { RequestLink } from '../../requests/request-link.tsx'
import { WhyButton } from '../../requests/why-button.tsx'
import { editWords } from '../grid/grid-rows.tsx'
import styles from './unsaved.module.css'

const MOST_SHOWN = 4
const MOST_TEXT = 80

const shown = (cell: Cell | undefined) => {
  if (cell === null || cell === undefined) return 'null'
  if (cell === '') return 'empty'
  return cell.length > MOST_TEXT ? `${cell.slice(0, MOST_TEXT)}…` : cell
}

/** The three versions of a conflicting cell. */
function Versions({ edit, table }: { readonly edit: Edit; readonly table: TableModel }) {
  const { state } = edit
  const theirs = state.at === 'conflict' ? state.theirs : undefined
  const columns = table.pages.info.columns.filter(column => Object.hasOwn(edit.values, column.name))
  return (
    <ul className={styles.versions}>
      {columns.map(column => (
        <li key={column.name}>
          <strong>{column.name}</strong> <span className={styles.word}>Your value</span>{' '}
          <code dir="auto">{shown(edit.values[column.name])}</code>
          {theirs === undefined ? null : (
            <>
              {' '}
              <span className={styles.word}>Their value</span>{' '}
              <code dir="auto">{shown(cellOf(theirs, column))}</code>
            </>
          )}{' '}
          <span className={styles.word}>Original</span>{' '}
          <code dir="auto">{shown(cellOf(edit.row, column))}</code>
        </li>
      ))}
    </ul>
  )
}

/** The row's name; moves to the row when there is a grid. */
function RowLink({ name, onShow }: { readonly name: string; readonly onShow: (() => void) | undefined }) {
  if (onShow === undefined) return <strong>{name}</strong>
  return (
    <button type="button" className={styles.row} onClick={onShow}>
      {name}
    </button>
  )
}

/** Moves the cursor to a cell. */
type ShowCell = (key: string, row: Row, column: string) => void

interface WhyRequestProps {
  readonly of: string | undefined
  /** What failed. */
  readonly what: string
}

function WhyRequest({ of, what }: WhyRequestProps) {
  return of === undefined ? null : <WhyButton of={what} {...whyActor(`client/requests/request.${of}`)} />
}

interface EditItemProps {
  readonly edit: Edit
  readonly table: TableModel
  readonly onShow: ShowCell | undefined
}

function EditItem({ edit, table, onShow }: EditItemProps) {
  const { retry, cancel } = table.edits
  const { state } = edit
  const isConflict = state.at === 'conflict'
  const isGone = isConflict && state.theirs === undefined
  const name = rowName(table.pages.info, edit.row)
  const [column = ''] = Object.keys(edit.values)
  return (
    <li className={styles.item}>
      <div className={styles.text}>
        <RowLink name={name} onShow={onShow && (() => onShow(edit.key, edit.row, column))} />{' '}
        {editWords(state)}
        <Versions edit={edit} table={table} />
      </div>
      <span className={styles.actions}>
        {/* A conflict is no failure of its request. */}
        {isConflict ? (
          <RequestLink of={edit.request} label={`Show request of ${name}`} />
        ) : (
          <WhyRequest of={edit.request} what={name} />
        )}
        {isGone ? null : (
          <Button size="s" onPress={() => retry(edit.id)}>
            {isConflict ? 'Keep your value' : 'Retry'}
          </Button>
        )}
        <Button
          size="s"
          variant="quiet"
          onPress={() => {
            cancel(edit.id)
            if (isConflict) table.pages.reload({ kind: 'conflict' })
          }}
        >
          {isConflict && !isGone ? 'Use their value' : 'Discard'}
        </Button>
      </span>
    </li>
  )
}

const namesOf = ({ rows }: Deletion, { pages: { info } }: TableModel): string => {
  const names = [...rows.values()].slice(0, MOST_SHOWN).map(row => rowName(info, row))
  const more = rows.size - names.length
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
}

function DeletionItem({ deletion, table }: { readonly deletion: Deletion; readonly table: TableModel }) {
  if (deletion.state.at !== 'refused') return null
  return (
    <li className={styles.item}>
      <div className={styles.text}>
        <strong>Not deleted: {namesOf(deletion, table)}.</strong> {deletion.state.failure.message}
      </div>
      <span className={styles.actions}>
        <WhyRequest of={deletion.state.request} what="Not deleted" />
        <Button size="s" onPress={() => table.deletions.retry(deletion.id)}>
          Retry delete
        </Button>
        <Button size="s" variant="quiet" onPress={() => table.deletions.undo(deletion.id)}>
          Keep rows
        </Button>
      </span>
    </li>
  )
}

/** Renders nothing while all changes are saved or being saved. */
export function UnsavedBar({ table, onShow }: { readonly table: TableModel; readonly onShow?: ShowCell }) {
  const stuck = table.edits.edits.filter(({ state }) => state.at !== 'queued' && state.at !== 'sending')
  const refused = table.deletions.list.filter(({ state }) => state.at === 'refused')
  if (stuck.length + refused.length === 0) return null
  /** A conflict needs a decision for its row. */
  const retried = stuck.filter(({ state }) => state.at !== 'conflict')
  const more = stuck.length - MOST_SHOWN
  return (
    <section className={styles.bar} aria-label="Unsaved changes">
      <h2 className={styles.head}>
        <TriangleAlert size={14} aria-hidden />
        {plural(stuck.length + refused.length, 'unsaved change')}
        {retried.length > 1 ? (
          <Button size="s" onPress={() => retried.forEach(({ id }) => table.edits.retry(id))}>
            Retry all
          </Button>
        ) : null}
        {stuck.length > 1 ? (
          <Button size="s" variant="quiet" onPress={() => stuck.forEach(({ id }) => table.edits.cancel(id))}>
            Discard all
          </Button>
        ) : null}
        {stuck.length > 0 ? (
          <Button
            size="s"
            variant="quiet"
            icon={<Workflow size={14} aria-hidden />}
            onPress={table.edits.showStates}
          >
            Open in console
          </Button>
        ) : null}
      </h2>
      <ul className={styles.list}>
        {stuck.slice(0, MOST_SHOWN).map(edit => (
          <EditItem key={edit.id} edit={edit} table={table} onShow={onShow} />
        ))}
        {refused.map(deletion => (
          <DeletionItem key={`d${deletion.id}`} deletion={deletion} table={table} />
        ))}
        {more > 0 ? <li className={styles.word}>and {more} more</li> : null}
      </ul>
    </section>
  )
}
