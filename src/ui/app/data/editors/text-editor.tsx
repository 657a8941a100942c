// The editor of long texts: lines, and how many characters there are.
import type { CellEditorProps } from '../grid/grid-types.ts'
import { EditorPopover, focusNow } from './editor-popover.tsx'
import styles from './editors.module.css'
import { usePopoverDraft } from './use-popover-draft.ts'

/** Enter makes a line, Ctrl and Enter keep the text. */
export function TextEditor(props: CellEditorProps) {
  const { column, onCancel } = props
  const { text, setText, error, save, onNull } = usePopoverDraft(props)
  return (
    <EditorPopover
      column={column}
      error={error}
      onCancel={onCancel}
      onSave={save}
      onNull={onNull}
      isWide
      actions={<span className={styles.note}>{text.length.toLocaleString('en')} characters</span>}
    >
      <textarea
        ref={focusNow}
        className={styles.area}
        aria-label={column.name}
        aria-invalid={error !== undefined}
        dir="auto"
        value={text}
        onChange={event => setText(event.target.value)}
      />
    </EditorPopover>
  )
}
