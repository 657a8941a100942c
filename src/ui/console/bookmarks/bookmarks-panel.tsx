// The bookmarks: their button in the toolbar, and below it their list with the note form.
import { memo, useEffect, useRef, useState } from 'react'
import { Button, IconButton, ToolButton } from '../../widgets/button.tsx'
import { Kbd } from '../../widgets/kbd.tsx'
import { plural, clockTime, count } from '../text.ts'
import { useBookmarks, useConsole, useSelected } from '../use-console.ts'
import type { Bookmarks } from './bookmark-store.ts'
import styles from './bookmarks.module.css'
import { Pencil, Trash2, Bookmark } from 'lucide-react'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import { Dialog, Popover } from 'react-aria-components'
import { cx } from '../../widgets/cx.ts'
import popover from '../../widgets/popover.module.css'

interface Removed {
  readonly seq: number
  readonly note: string
}

/** `onDone` closes the panel. */
export function BookmarksPanel({ onDone }: { readonly onDone: () => void }) {
  const { selection, pick, bookmarks } = useConsole()
  const { add, remove, save, setDraft } = bookmarks
  const { list, refusal, unsaved, draft, failure } = useBookmarks(all => all)
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
          <Button size="s" onPress={() => void save()}>
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

interface BookmarkRowProps {
  readonly seq: number
  readonly note: string
  /** Whether its event is selected. */
  readonly isHere: boolean
  /** Whether bookmarks are read-only. */
  readonly isFixed: boolean
  readonly onShow: () => void
  readonly onEdit: () => void
  readonly onRemove: () => void
}

/** One bookmark: selects its event; its note can be changed or removed. */
function BookmarkRow({ seq, note, isHere, isFixed, onShow, onEdit, onRemove }: BookmarkRowProps) {
  const { timeline } = useConsole()
  const isThere = seq < timeline.size
  const path = isThere ? timeline.actors[timeline.actor(seq)]?.path : undefined
  return (
    <li className={styles.row} data-here={isHere || undefined}>
      <button type="button" className={styles.show} disabled={!isThere} onClick={onShow}>
        <span className={styles.note}>{note}</span>
        <span className={styles.where}>
          #{count(seq)}
          {isThere ? ` · ${clockTime(timeline.t(seq))} · ${timeline.type(seq)}` : ' · not loaded yet'}
          {path === undefined ? '' : ` · ${path}`}
        </span>
      </button>
      <ToolButton icon={Pencil} label={`Change: ${note}`} noTooltip isDisabled={isFixed} onPress={onEdit} />
      <ToolButton icon={Trash2} label={`Remove: ${note}`} noTooltip isDisabled={isFixed} onPress={onRemove} />
    </li>
  )
}

interface NoteFormProps {
  readonly seq: number
  readonly isNew: boolean
  /** Closes the panel. */
  readonly onDone: () => void
}

/** <kbd>Enter</kbd> saves. An empty note on a new bookmark defaults to the event's name. */
function NoteForm({ seq, isNew, onDone }: NoteFormProps) {
  const { timeline, bookmarks } = useConsole()
  const { add, setDraft } = bookmarks
  const list = useBookmarks(all => all.list)
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

interface BookmarksButtonProps {
  readonly bookmarks: Bookmarks
}

/** Toolbar button with the number of bookmarks. A step does not rerender it. */
export const BookmarksButton = memo(function BookmarksButton({ bookmarks }: BookmarksButtonProps) {
  const { show, setDraft } = bookmarks
  const { list, unsaved, isOpen } = useSelected(bookmarks, all => all)
  const anchor = useRef<HTMLSpanElement>(null)
  const close = (open: boolean) => {
    show(open)
    if (!open) setDraft(undefined)
  }
  const about = list.length === 0 ? 'Bookmarks' : plural(list.length, 'bookmark')
  return (
    <span ref={anchor} className={styles.anchor}>
      <IconButton
        size="s"
        label={unsaved === 0 ? about : `${about}, ${plural(unsaved, 'note')} not saved`}
        shortcut="Shift+B"
        onPress={() => show(true)}
      >
        <Bookmark size={14} aria-hidden />
        {list.length === 0 ? null : (
          <span className={styles.count} data-unsaved={unsaved > 0 || undefined}>
            {list.length > 99 ? '99+' : list.length}
          </span>
        )}
      </IconButton>
      <Popover
        triggerRef={anchor}
        isOpen={isOpen}
        onOpenChange={close}
        placement="bottom"
        className={cx(popover.popover, styles.popover)}
      >
        <Dialog aria-label="Bookmarks" className={cx(styles.dialog)}>
          <BookmarksPanel onDone={() => close(false)} />
        </Dialog>
      </Popover>
    </span>
  )
})
