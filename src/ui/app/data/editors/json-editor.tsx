// The editor of JSON: with colours and checks once they were fetched, as a plain text until then.
import { lazy, Suspense } from 'react'
import { Button } from '../../../widgets/button.tsx'
import type { CellEditorProps } from '../grid/grid-types.ts'
import { EditorPopover } from './editor-popover.tsx'
import styles from './editors.module.css'
import { indented } from './json-format.ts'
import { usePopoverDraft } from './use-popover-draft.ts'

const CodeField = lazy(async () => ({ default: (await import('./code-field.tsx')).CodeField }))

/** The text stays as it is written, digits and all, unless it is asked to be laid out. */
export function JsonEditor(props: CellEditorProps) {
  const { column, onCancel } = props
  const { text, setText, error, save, onNull } = usePopoverDraft(props)
  const laid = indented(text)
  const plain = (
    <textarea
      className={`${styles.area} ${styles.code}`}
      aria-label={column.name}
      spellCheck={false}
      value={text}
      onChange={event => setText(event.target.value)}
    />
  )
  return (
    <EditorPopover
      column={column}
      error={error}
      onCancel={onCancel}
      onSave={save}
      onNull={onNull}
      isWide
      actions={
        <Button
          size="s"
          variant="quiet"
          isDisabled={laid === undefined || laid === text}
          onPress={() => setText(laid ?? text)}
        >
          Lay out
        </Button>
      }
    >
      <Suspense fallback={plain}>
        <CodeField label={column.name} text={text} onChange={setText} />
      </Suspense>
    </EditorPopover>
  )
}
