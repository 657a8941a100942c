// Foreign key editor: finds rows of the referenced table while the user types.
import { useState } from 'react'
import { ListBox, ListBoxItem } from 'react-aria-components'
import { cx } from '../../../widgets/cx.ts'
import type { CellEditorProps } from '../grid/grid-types.ts'
import type { Reference } from '../../../../services/workbench/table/index.ts'
import { EditorPopover, focusNow } from './editor-popover.tsx'
import styles from './editors.module.css'
import { pairValues, useLookup } from './lookup.ts'
import { usePopoverDraft } from './use-popover-draft.ts'

/** The text is the search term, and the value if no row is chosen. */
export function LookupEditor(props: CellEditorProps & { readonly references: Reference }) {
  const { column, references } = props
  const { text, setText, frame, put } = usePopoverDraft(props)
  const [search, setSearch] = useState(props.typed ?? '')
  const found = useLookup(references, search)
  const names = references.pairs?.map(({ theirs }) => theirs).join(' and ') ?? references.column
  const choose = (id: string) => {
    const chosen = found.phase === 'found' ? found.rows.find(each => each.id === id) : undefined
    if (chosen !== undefined) put(chosen.cell, pairValues(references, column.name, chosen.row))
  }
  return (
    <EditorPopover frame={frame} isOneLine>
      <input
        ref={focusNow}
        className={styles.field}
        aria-label={column.name}
        value={text}
        spellCheck={false}
        placeholder={`Search ${references.table}, or its ${names}`}
        onChange={event => {
          setText(event.target.value)
          setSearch(event.target.value)
        }}
      />
      {found.phase === 'failed' ? (
        <p className={styles.note}>
          {references.table} could not be searched. {found.message}
        </p>
      ) : (
        <ListBox
          aria-label={`Rows of ${references.table}`}
          className={cx(styles.found)}
          selectionMode="single"
          onAction={id => choose(String(id))}
          renderEmptyState={() => (
            <span className={styles.note}>{found.phase === 'loading' ? 'Searching…' : 'No such row.'}</span>
          )}
        >
          {found.rows.map(({ id, keys, words }) => (
            <ListBoxItem key={id} id={id} textValue={`${keys} ${words}`} className={cx(styles.option)}>
              <code>{keys}</code> <span className={styles.optionText}>{words}</span>
            </ListBoxItem>
          ))}
        </ListBox>
      )}
    </EditorPopover>
  )
}
