// Long-text editor: multiple lines and a character count.
import type { CellEditorProps } from '../grid/grid-types.ts'
import { focusNow } from '../../hooks.ts'
import { EditorPopover } from './editor-popover.tsx'
import styles from './editors.module.css'
import { usePopoverDraft } from './use-popover-draft.ts'
import { formatCount } from '../../../../services/workbench/text/index.ts'

/** Enter inserts a line break, Ctrl+Enter saves. */
export function TextEditor(props: CellEditorProps) {
  const { column } = props
  const { text, setText, frame } = usePopoverDraft(props)
  return (
    <EditorPopover
      frame={frame}
      isWide
      actions={<span className={styles.note}>{formatCount(text.length)} characters</span>}
    >
      <textarea
        ref={focusNow}
        className={styles.area}
        aria-label={column.name}
        aria-invalid={frame.error !== undefined}
        dir="auto"
        value={text}
        onChange={event => setText(event.target.value)}
      />
    </EditorPopover>
  )
}
