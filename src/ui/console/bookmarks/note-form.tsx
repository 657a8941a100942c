// The form for the note on one step.
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import { useConsole } from '../use-console.ts'
import styles from './bookmarks.module.css'
import { usePanelState } from './panel-state.ts'
import { useBookmarks } from './use-bookmarks.ts'

export interface NoteFormProps {
  readonly seq: number
  readonly isNew: boolean
  /** Closes the panel. */
  readonly onDone: () => void
}

/** <kbd>Enter</kbd> saves. An empty note on a new bookmark defaults to the event's name. */
export function NoteForm({ seq, isNew, onDone }: NoteFormProps) {
  const { timeline } = useConsole()
  const { list, add } = useBookmarks()
  const { setDraft } = usePanelState()
  const type = timeline.type(seq)
  const [text, setText] = useState(list.find(({ step }) => step === seq)?.note ?? '')
  const input = useRef<HTMLInputElement>(null)
  // The panel was opened to write this note.
  useEffect(() => input.current?.select(), [])
  const submit = () => {
    add(seq, text.trim() === '' ? type : text)
    setDraft(undefined)
    if (isNew) onDone()
  }
  return (
    <Form className={styles.form} onSubmit={submit} aria-label="Note">
      <TextField
        inputRef={input}
        label={`Note on #${seq}`}
        labelNote={type}
        placeholder={type}
        maxLength={2_000}
        value={text}
        onChange={setText}
      />
      <Button type="submit" size="s" variant="primary">
        {isNew ? 'Bookmark' : 'Save'}
      </Button>
    </Form>
  )
}
