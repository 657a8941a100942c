// Edits of a result that are not saved: the reason, the values in a conflict, and what can be done.
import { TriangleAlert } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import type { ResultEdits, ResultState } from '../../../services/workbench/sql/index.ts'
import { type Cell, cellOf, type Edit } from '../../../services/workbench/table/index.ts'
import { plural } from '../../../services/workbench/text/index.ts'
import { editWords } from '../data/grid/grid-rows.tsx'
import styles from '../data/writes/unsaved.module.css'

const MOST_ITEMS = 4
const MOST_TEXT = 80

export interface UnsavedEditsProps {
  readonly edits: ResultEdits
  readonly state: ResultState
}

/** Renders nothing while all edits are saved or being saved. */
export function UnsavedEdits({ edits, state }: UnsavedEditsProps) {
  const blocked = state.edits.filter(({ state: { at } }) => at !== 'queued' && at !== 'sending')
  if (blocked.length === 0) return null
  return (
    <section className={styles.bar} style={{ margin: 0 }} aria-label="Unsaved changes">
      <h2 className={styles.head}>
        <TriangleAlert size={14} aria-hidden />
        {plural(blocked.length, 'unsaved change')}
      </h2>
      <ul className={styles.list}>
        {blocked.slice(0, MOST_ITEMS).map(edit => (
          <UnsavedEdit key={edit.id} edit={edit} edits={edits} />
        ))}
        {blocked.length > MOST_ITEMS ? (
          <li className={styles.word}>and {blocked.length - MOST_ITEMS} more</li>
        ) : null}
      </ul>
    </section>
  )
}

function UnsavedEdit({ edit, edits }: { readonly edit: Edit; readonly edits: ResultEdits }) {
  const { state } = edit
  const theirs = state.at === 'conflict' ? state.theirs : undefined
  const isGone = state.at === 'conflict' && theirs === undefined
  const rows = edits.rowsOf(edit.key).map(index => index + 1)
  return (
    <li className={styles.item}>
      <div className={styles.text} role={state.at === 'backingOff' ? undefined : 'alert'}>
        <strong>
          {rows.length === 1 ? 'Row' : 'Rows'} {rows.slice(0, MOST_ITEMS).join(', ')}
        </strong>{' '}
        {editWords(state)}
        <ul className={styles.versions}>
          {Object.entries(edit.values).map(([name, cell]) => (
            <li key={name}>
              <strong>{name}</strong> <Version title="Your value" cell={cell} />{' '}
              {theirs && <Version title="Stored now" cell={cellOf(theirs, { name })} />}{' '}
              <Version title="Original" cell={cellOf(edit.row, { name })} />
            </li>
          ))}
        </ul>
      </div>
      <span className={styles.actions}>
        {isGone ? null : (
          <Button size="s" onPress={() => edits.retry(edit.id)}>
            {theirs ? 'Keep your value' : 'Retry'}
          </Button>
        )}
        <Button size="s" variant="quiet" onPress={() => edits.discard(edit.id)}>
          {theirs ? 'Use the stored value' : 'Discard'}
        </Button>
      </span>
    </li>
  )
}

function Version({ title, cell }: { readonly title: string; readonly cell: Cell }) {
  return (
    <>
      <span className={styles.word}>{title}</span> <code dir="auto">{shortText(cell)}</code>
    </>
  )
}

const shortText = (cell: Cell): string => {
  if (cell === null) return 'null'
  if (cell === '') return 'empty'
  return cell.length > MOST_TEXT ? `${cell.slice(0, MOST_TEXT)}…` : cell
}
