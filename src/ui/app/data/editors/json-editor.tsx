// JSON editor.
import { Button } from '../../../widgets/button.tsx'
import type { CellEditorProps } from '../grid/grid-types.ts'
import { EditorPopover } from './editor-popover.tsx'
import { indented } from '../../../../services/workbench/text/index.ts'
import { JsonText } from '../../json/json-text.tsx'
import { usePopoverDraft } from './use-popover-draft.ts'

/** Text stays as written, including digits, unless the user formats it. */
export function JsonEditor(props: CellEditorProps) {
  const { column } = props
  const { text, setText, frame } = usePopoverDraft(props)
  const laid = indented(text)
  return (
    <EditorPopover
      frame={frame}
      isWide
      actions={
        <Button
          size="s"
          variant="quiet"
          isDisabled={laid === undefined || laid === text}
          onPress={() => setText(laid ?? text)}
        >
          Format JSON
        </Button>
      }
    >
      <JsonText label={column.name} text={text} onChange={setText} takesFocus />
    </EditorPopover>
  )
}
