// Where the user writes what must hold, or opens a file of it; kept in the browser.
import { FolderOpen } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { DropZone } from 'react-aria-components'
import { Button } from '../../widgets/button.tsx'
import { TextArea } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import { plural } from '../text.ts'
import { useJudge } from './judge-context.ts'
import styles from './judge.module.css'
import { EXAMPLE, readOwn } from './own-assertions.ts'

export function AssertionsEditor({ onClose }: { readonly onClose: () => void }) {
  const { ownText, keepOwn } = useJudge()
  const [text, setText] = useState(ownText)
  const input = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  const read = readOwn(text)
  const isBad = read.problems.length > 0
  const keep = () => {
    keepOwn(text)
    onClose()
  }
  return (
    <Form
      ref={form}
      className={styles.editor}
      aria-label="Assertions"
      onSubmit={() => {
        if (!isBad) keep()
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
          label="What must hold, as JSON"
          mono
          rows={10}
          value={text}
          onChange={setText}
          spellCheck="false"
          hint="A file dropped here is read too. The words are those of the guide to assertions; nothing leaves this browser."
          error={isBad ? read.problems.join('\n') : undefined}
        />
      </DropZone>
      <span className={styles.tools}>
        <Button size="s" variant="primary" type="submit" isDisabled={isBad}>
          {text.trim() === ''
            ? 'Keep none'
            : isBad
              ? 'Hold the trace against them'
              : `Hold the trace against ${plural(read.assertions.length, 'assertion')}`}
        </Button>
        <Button size="s" variant="quiet" onPress={onClose}>
          Cancel
        </Button>
        <span className={styles.gap} />
        {text.trim() === '' ? (
          <Button size="s" variant="quiet" onPress={() => setText(EXAMPLE)}>
            Insert an example
          </Button>
        ) : null}
        <Button
          size="s"
          variant="quiet"
          icon={<FolderOpen size={13} aria-hidden />}
          onPress={() => input.current?.click()}
        >
          Open a file
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".json,application/json"
          aria-label="File of assertions"
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
