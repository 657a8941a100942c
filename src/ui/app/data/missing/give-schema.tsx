// Takes the schema of a project from a dropped, chosen or pasted file: generated types, or a schema file.
import { FileCode } from 'lucide-react'
import { useState } from 'react'
import { DropZone, FileTrigger, Text, type DropZoneProps } from 'react-aria-components'
import { givenSchemaOf } from '../../../../services/workbench/schema/index.ts'
import { useClient } from '../../../react/index.ts'
import { Button } from '../../../widgets/button.tsx'
import { cx } from '../../../widgets/cx.ts'
import { TextArea } from '../../../widgets/text-area.tsx'
import { Notice } from '../../shell/page.tsx'
import { useTables } from '../tables.tsx'
import styles from './table-ways.module.css'

/** Shows the problem of a file that is no schema, with its line. */
export function GiveSchema({ onGiven }: { readonly onGiven?: () => void }) {
  const { reload } = useTables()
  const store = givenSchemaOf(useClient())
  const [problem, setProblem] = useState<string>()
  const [isPasting, setPasting] = useState(false)
  const [pasted, setPasted] = useState('')
  const give = async (text: string, name: string) => {
    const found = await store.use(text, name)
    setProblem(found === undefined ? undefined : `${name}: ${found}`)
    if (found !== undefined) return
    reload()
    onGiven?.()
  }
  const take = async (file: File) => give(await file.text(), file.name)
  const drop = async ({ items }: Parameters<NonNullable<DropZoneProps['onDrop']>>[0]) => {
    const item = items.find(each => each.kind === 'file')
    if (item?.kind === 'file') await take(await item.getFile())
  }
  return (
    <div className={styles.give}>
      {problem === undefined ? null : <Notice tone="fail">{problem}</Notice>}
      <DropZone
        className={cx(styles.drop)}
        getDropOperation={() => 'copy'}
        onDrop={event => void drop(event)}
      >
        <FileCode size={20} aria-hidden />
        <Text slot="label">
          Drop <code>database.types.ts</code> or <code>schema.json</code>
        </Text>
        <span className={styles.buttons}>
          <FileTrigger
            acceptedFileTypes={['.ts', '.json', '.txt']}
            onSelect={files => {
              const file = files?.[0]
              if (file) void take(file)
            }}
          >
            <Button variant="primary">Choose file</Button>
          </FileTrigger>
          <Button onPress={() => setPasting(!isPasting)}>Paste text</Button>
        </span>
      </DropZone>
      {isPasting ? (
        <>
          <TextArea
            label="Text of the file"
            rows={5}
            mono
            value={pasted}
            onChange={setPasted}
            placeholder="export type Database = { public: { Tables: …"
            spellCheck="false"
          />
          <Button isDisabled={pasted.trim() === ''} onPress={() => void give(pasted, 'Pasted text')}>
            Use this text
          </Button>
        </>
      ) : null}
    </div>
  )
}
