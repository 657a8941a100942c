// The editor for the user's assertions; can open files; stored in the browser.
import { FolderOpen } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { DropZone } from 'react-aria-components'
import { Button } from '../../widgets/button.tsx'
import { TextArea } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import { plural } from '../text.ts'
import { useChecksContext } from './checks-context.ts'
import styles from './checks.module.css'
import { EXAMPLE, readOwn } from './own-assertions.ts'

export function AssertionsEditor({ onClose }: { readonly onClose: () => void }) {
  const { ownText, keepOwn } = useChecksContext()
  const [text, setText] = useState(ownText)
  const input = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  const read = readOwn(text)
  const isBad = read.problems.length > 0
  const save = () => {
    keepOwn(text)
    onClose()
  }
  return (
    <Form
      ref={form}
      className={styles.editor}
      aria-label="Assertions"
      onSubmit={() => {
        if (!isBad) save()
      }}
    >
      <DropZone
        className={styles.drop ?? ''}
        onDrop={({ items }) => {
          const file = items.find(item => item.kind === 'file')
          void file?.getText().then(setText)
        }}
      >
        <TextArea
          label="Assertions as JSON"
          mono
          rows={10}
          value={text}
          onChange={setText}
          spellCheck="false"
          hint="You can also drop a file here. Assertions stay in this browser. See the guide to assertions for the format."
          error={isBad ? read.problems.join('\n') : undefined}
        />
      </DropZone>
      <span className={styles.tools}>
        <Button size="s" variant="primary" type="submit" isDisabled={isBad}>
          {text.trim() === ''
            ? 'Remove assertions'
            : isBad
              ? 'Run checks'
              : `Run ${plural(read.assertions.length, 'check')}`}
        </Button>
        <Button size="s" variant="quiet" onPress={onClose}>
          Cancel
        </Button>
        <span className={styles.gap} />
        {text.trim() === '' ? (
          <Button size="s" variant="quiet" onPress={() => setText(EXAMPLE)}>
            Insert example
          </Button>
        ) : null}
        <Button
          size="s"
          variant="quiet"
          icon={<FolderOpen size={13} aria-hidden />}
          onPress={() => input.current?.click()}
        >
          Open file
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".json,application/json"
          aria-label="Assertions file"
          onChange={event => {
            const file = event.target.files?.[0]
            event.target.value = ''
            void file?.text().then(setText)
          }}
        />
      </span>
    </Form>
  )
}
