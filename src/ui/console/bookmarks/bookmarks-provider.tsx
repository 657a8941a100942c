// Provides the notes of the shown trace and their commands, and asks before unsaved notes in a file are lost.
import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  useReducer,
  useSyncExternalStore,
} from 'react'
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import type { ConsoleRecording } from '../console-recording.ts'
import type { FileTrace } from '../model/file-trace.ts'
import { plural, messageOf } from '../text.ts'
import type { Leave } from '../file/use-file.ts'
import { PanelContext, BookmarksContext, type Bookmarks } from './use-bookmarks.ts'
import { saveAs } from '../../widgets/save-as.ts'
import { useConsole } from '../use-console.ts'
import { createBookmarkStore, nextNote, toggledQuery } from './bookmark-store.ts'
import { useCommands, type ConsoleCommand } from '../commands/use-commands.ts'

export interface BookmarksProviderProps {
  readonly recording: ConsoleRecording
  /** The file shown instead of the recording. */
  readonly file: FileTrace | undefined
  /** Registers a question to ask before the shown file is left; returns a function to unregister it. */
  readonly askFirst: (leave: Leave) => () => void
  readonly children: ReactNode
}

export function BookmarksProvider({ recording, file, askFirst, children }: BookmarksProviderProps) {
  const book = useBookmarkStore(recording, file)
  const { write, list, refusal, unsaved, save, failure } = book
  const [isOpen, setOpen] = useOpen()
  const [draft, setDraft] = useState<number>()
  const value = useMemo<Bookmarks>(() => {
    const add = (seq: number, note: string) => write(note.trim(), seq)
    return {
      list,
      refusal,
      unsaved,
      add,
      edit: add,
      remove: seq => write('', seq),
      write: seq => {
        setDraft(seq)
        setOpen(true)
      },
      save: () => void save(),
    }
  }, [list, refusal, unsaved, write, save, setOpen])
  useBookmarkCommands(value, setOpen)
  const panel = useMemo(
    () => ({ isOpen, setOpen, draft, setDraft, failure }),
    [isOpen, setOpen, draft, failure],
  )
  return (
    <BookmarksContext value={value}>
      <PanelContext value={panel}>
        {children}
        <Leaving askFirst={askFirst} unsaved={unsaved} save={save} />
      </PanelContext>
    </BookmarksContext>
  )
}

/** When the panel closes, the focus returns to where it was when the panel was opened. */
function useOpen(): readonly [boolean, (isOpen: boolean) => void] {
  const [isOpen, set] = useState(false)
  const before = useRef<Element>(null)
  const setOpen = useCallback((open: boolean) => {
    if (open) before.current = document.activeElement
    set(open)
    if (open) return
    const { current } = before
    requestAnimationFrame(() => {
      const isNowhere = document.activeElement === document.body
      if (isNowhere && current instanceof HTMLElement) current.focus()
    })
  }, [])
  return [isOpen, setOpen]
}

interface LeavingProps {
  readonly askFirst: BookmarksProviderProps['askFirst']
  readonly unsaved: number
  readonly save: () => Promise<boolean>
}

/** The confirmation dialog; shown only if notes would be lost. */
function Leaving({ askFirst, unsaved, save }: LeavingProps) {
  const [then, setThen] = useState<{ readonly go: () => void; readonly stay: (() => void) | undefined }>()
  useEffect(() => askFirst((go, stay) => (unsaved === 0 ? go() : setThen({ go, stay }))), [askFirst, unsaved])
  const close = () => {
    setThen(undefined)
    then?.stay?.()
  }
  const go = () => {
    setThen(undefined)
    then?.go()
  }
  return (
    <Dialog title="Unsaved notes" role="alertdialog" isOpen={then !== undefined} onClose={close}>
      <p>{plural(unsaved, 'note')} in this file will be lost. The file on disk has not changed.</p>
      <DialogActions>
        <Button variant="quiet" onPress={close}>
          Cancel
        </Button>
        <Button onPress={go}>Leave without saving</Button>
        <Button variant="primary" onPress={() => void save().then(isSaved => (isSaved ? go() : close()))}>
          Save with notes
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Returns the notes and the outcome of the last save. `size` follows the loading of a file. */
function useBookmarkStore(recording: ConsoleRecording, file: FileTrace | undefined) {
  const { timeline } = useConsole()
  const book = useMemo(() => createBookmarkStore(recording, file), [recording, file])
  const marks = useSyncExternalStore(timeline.subscribe, () => timeline.bookmarks)
  const refusal = useSyncExternalStore(timeline.subscribe, book.refusal)
  const list = useMemo(() => marks.toSorted((a, b) => a.step - b.step), [marks])
  const [, renew] = useReducer((count: number) => count + 1, 0)
  const [failure, setFailure] = useState<string>()
  const unsaved = book.unsaved()
  useEffect(() => {
    if (unsaved === 0) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved])
  /** Resolves to whether the notes are saved in a file. */
  const save = useCallback(async () => {
    setFailure(undefined)
    try {
      const made = await book.save?.()
      if (!made) return false
      saveAs(made, made.name)
      book.saved()
      renew()
      return true
    } catch (error) {
      setFailure(messageOf(error))
      return false
    }
  }, [book])
  return { write: book.write, list, refusal, unsaved, failure, save }
}

/** Registers the commands; `show` opens and closes the panel. */
function useBookmarkCommands(bookmarks: Bookmarks, show: (isOpen: boolean) => void): void {
  const { selection, pick, place, go } = useConsole()
  const { list, refusal, unsaved, write, save } = bookmarks
  const { seq, at } = selection
  const { query } = place
  const commands = useMemo<readonly ConsoleCommand[]>(() => {
    const none = list.length === 0 ? { disabled: 'There are no bookmarks' } : {}
    const cannot = seq < 0 ? 'No event is selected' : refusal
    const jump = (by: 1 | -1) => () => {
      const found = nextNote(list, at, by)
      if (found) pick(found.step)
    }
    return [
      {
        id: 'bookmark.write',
        title: 'Bookmark this event with a note',
        section: 'Move',
        keys: ['Shift+B'],
        words: 'annotate comment remember',
        ...(cannot !== undefined && { disabled: cannot }),
        run: () => write(seq),
      },
      { id: 'bookmark.next', title: 'Next bookmark', section: 'Move', keys: ['.'], ...none, run: jump(1) },
      {
        id: 'bookmark.previous',
        title: 'Previous bookmark',
        section: 'Move',
        keys: [','],
        ...none,
        run: jump(-1),
      },
      {
        id: 'bookmark.list',
        title: 'Show bookmarks',
        section: 'View',
        words: 'notes',
        run: () => show(true),
      },
      {
        id: 'bookmark.only',
        title: 'Toggle bookmarked events only',
        section: 'View',
        words: 'filter query notes',
        ...none,
        run: () => go({ type: 'query', query: toggledQuery(query) }),
      },
      {
        id: 'bookmark.save',
        title: 'Save file with notes',
        section: 'Recording',
        words: 'bookmarks',
        ...(unsaved === 0 && { disabled: 'No unsaved notes' }),
        run: save,
      },
    ]
  }, [list, refusal, unsaved, write, save, seq, at, query, pick, go, show])
  useCommands(commands)
}
