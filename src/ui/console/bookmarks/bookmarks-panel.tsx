// The list of bookmarks, with the note form above it.
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { Kbd } from '../../widgets/kbd.tsx'
import { plural } from '../text.ts'
import { useConsole } from '../use-console.ts'
import { BookmarkRow } from './bookmark-row.tsx'
import styles from './bookmarks.module.css'
import { NoteForm } from './note-form.tsx'
import { usePanelState } from './panel-state.ts'
import { useBookmarks } from './use-bookmarks.ts'

interface Removed {
  readonly seq: number
  readonly note: string
}

/** `onDone` closes the panel. */
export function BookmarksPanel({ onDone }: { readonly onDone: () => void }) {
  const { list, refusal, add, remove, unsaved, save } = useBookmarks()
  const { draft, setDraft, failure } = usePanelState()
  const { selection, pick } = useConsole()
  const [removed, setRemoved] = useState<Removed>()
  // A live trace moves on while the user writes.
  const [opened] = useState(selection.seq)
  const seq = draft ?? (list.length === 0 && opened >= 0 ? opened : selection.seq)
  const isNew = !list.some(({ step }) => step === seq)
  const isWriting = draft !== undefined || (list.length === 0 && seq >= 0)
  return (
    <div className={styles.panel}>
      <h2 className={styles.title}>Bookmarks</h2>
      {refusal === undefined ? null : <p className={styles.faint}>{refusal}.</p>}
      {refusal === undefined && isWriting ? (
        <NoteForm key={seq} seq={seq} isNew={isNew} onDone={onDone} />
      ) : null}
      {refusal === undefined && !isWriting && seq >= 0 ? (
        <Button size="s" onPress={() => setDraft(seq)}>
          {isNew ? `Note on #${seq} …` : `Change the note on #${seq} …`}
        </Button>
      ) : null}
      {list.length === 0 ? (
        <p className={styles.faint}>
          No bookmarks yet. A bookmark adds a note to an event and is saved in the recording. Select an event
          and press <Kbd>Shift</Kbd> <Kbd>B</Kbd>. <Kbd>,</Kbd> and <Kbd>.</Kbd> move between them.
        </p>
      ) : (
        <ul className={styles.list} aria-label="Bookmarks">
          {list.map(({ step, note }) => (
            <BookmarkRow
              key={step}
              seq={step}
              note={note}
              isHere={step === selection.seq}
              isFixed={refusal !== undefined}
              onShow={() => {
                onDone()
                pick(step)
              }}
              onEdit={() => setDraft(step)}
              onRemove={() => {
                setRemoved({ seq: step, note })
                setDraft(undefined)
                remove(step)
              }}
            />
          ))}
        </ul>
      )}
      {removed ? (
        <Undo
          key={removed.seq}
          note={removed.note}
          onUndo={() => {
            add(removed.seq, removed.note)
            setRemoved(undefined)
          }}
        />
      ) : null}
      {unsaved > 0 ? (
        <p className={styles.line}>
          <span>{plural(unsaved, 'change')} not in the file yet.</span>
          <Button size="s" onPress={save}>
            Save with notes
          </Button>
        </p>
      ) : null}
      {failure === undefined ? null : (
        <p role="alert" className={styles.failure}>
          The file could not be saved: {failure}
        </p>
      )}
    </div>
  )
}

/** Takes the focus from the removed row. */
function Undo({ note, onUndo }: { readonly note: string; readonly onUndo: () => void }) {
  const line = useRef<HTMLParagraphElement>(null)
  useEffect(() => line.current?.querySelector('button')?.focus(), [])
  return (
    <p className={styles.line} role="status" ref={line}>
      <span>“{note}” removed.</span>
      <Button size="s" variant="quiet" onPress={onUndo}>
        Undo
      </Button>
    </p>
  )
}
