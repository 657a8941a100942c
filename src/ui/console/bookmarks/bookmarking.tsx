// The commands of the bookmarks, and the question before unsaved notes in a file are lost.
import { useEffect, useMemo, useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { useCommands, type ConsoleCommand } from '../commands/use-commands.ts'
import type { Leave } from '../file/use-file.ts'
import { plural } from '../text.ts'
import { useBookmarks, useConsole } from '../use-console.ts'
import { type Bookmarks, type BookmarksState, nextNote, toggledQuery } from './bookmark-store.ts'

interface BookmarkingProps {
  /** Registers a question to ask before the shown file is left; returns a function to unregister it. */
  readonly askFirst: (leave: Leave) => () => void
}

/** Shows a dialog only if notes would be lost. */
export function Bookmarking({ askFirst }: BookmarkingProps) {
  const { bookmarks } = useConsole()
  const state = useBookmarks(all => all)
  useBookmarkCommands(bookmarks, state)
  const { unsaved } = state
  const [then, setThen] = useState<{ readonly go: () => void; readonly stay: (() => void) | undefined }>()
  useEffect(() => askFirst((go, stay) => (unsaved === 0 ? go() : setThen({ go, stay }))), [askFirst, unsaved])
  useEffect(() => {
    if (unsaved === 0) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved])
  const close = () => {
    setThen(undefined)
    then?.stay?.()
  }
  const go = () => {
    setThen(undefined)
    then?.go()
  }
  const save = () => void bookmarks.save().then(isSaved => (isSaved ? go() : close()))
  return (
    <Dialog title="Unsaved notes" role="alertdialog" isOpen={then !== undefined} onClose={close}>
      <p>{plural(unsaved, 'note')} in this file will be lost. The file on disk has not changed.</p>
      <DialogActions>
        <Button variant="quiet" onPress={close}>
          Cancel
        </Button>
        <Button onPress={go}>Leave without saving</Button>
        <Button variant="primary" onPress={save}>
          Save with notes
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function useBookmarkCommands({ write, show, save }: Bookmarks, state: BookmarksState): void {
  const { selection, pick, place, go } = useConsole()
  const { list, refusal, unsaved } = state
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
        run: () => void save(),
      },
    ]
  }, [list, refusal, unsaved, write, save, seq, at, query, pick, go, show])
  useCommands(commands)
}
