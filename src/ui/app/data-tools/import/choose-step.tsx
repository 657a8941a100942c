// Import, step 1: choose or drop a file, or paste rows.
import { FileUp } from 'lucide-react'
import { DropZone, FileTrigger, Text, type DropZoneProps } from 'react-aria-components'
import { Button } from '../../../widgets/button.tsx'
import { cx } from '../../../widgets/cx.ts'
import { TextArea } from '../../../widgets/field.tsx'
import { Notice } from '../../shell/page.tsx'
import styles from '../tools.module.css'
import { type FileChoice, pastedFile } from '../../../../services/workbench/table/index.ts'

export interface ChooseStepProps {
  readonly failure: string | undefined
  readonly pasted: string
  readonly onPaste: (text: string) => void
  readonly onFile: (file: FileChoice) => void
}

const choiceOf = (file: File): FileChoice => ({
  name: file.name,
  bytes: file.size,
  stream: () => file.stream(),
})

/** Takes one file; nothing is sent yet. */
export function ChooseStep({ failure, pasted, onPaste, onFile }: ChooseStepProps) {
  const drop = async ({ items }: Parameters<NonNullable<DropZoneProps['onDrop']>>[0]) => {
    const item = items.find(each => each.kind === 'file')
    if (item?.kind === 'file') onFile(choiceOf(await item.getFile()))
  }
  return (
    <>
      {failure === undefined ? null : <Notice tone="fail">{failure}</Notice>}
      <DropZone
        className={cx(styles.drop)}
        getDropOperation={() => 'copy'}
        onDrop={event => void drop(event)}
      >
        <FileUp size={22} aria-hidden />
        <Text slot="label">Drop a CSV or JSON file here</Text>
        <FileTrigger
          acceptedFileTypes={['.csv', '.tsv', '.tab', '.txt', '.json', '.ndjson', '.jsonl']}
          onSelect={files => {
            const file = files?.[0]
            if (file) onFile(choiceOf(file))
          }}
        >
          <Button variant="primary">Choose a file</Button>
        </FileTrigger>
        <span className={styles.faint}>
          CSV (comma, semicolon or tab), JSON or NDJSON. Nothing is uploaded yet.
        </span>
      </DropZone>
      <div className={styles.paste}>
        <TextArea
          label="Or paste rows"
          rows={5}
          mono
          value={pasted}
          onChange={onPaste}
          placeholder="From a spreadsheet, a CSV file, or JSON"
          spellCheck="false"
        />
        <Button isDisabled={pasted.trim() === ''} onPress={() => onFile(pastedFile(pasted))}>
          Read pasted rows
        </Button>
      </div>
    </>
  )
}
