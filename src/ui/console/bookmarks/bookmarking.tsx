// The commands of the bookmarks, and the question before unsaved notes in a file are lost.
import { useEffect, useMemo } from 'react'
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { useCommands, type ConsoleCommand } from '../commands/use-commands.ts'
import { plural } from '../text.ts'
import { useBookmarks, useConsole, useConsoleState } from '../use-console.ts'
import { type Bookmarks, type BookmarksState, nextNote, toggledQuery } from './bookmark-store.ts'

/** Shows a dialog only if notes would be lost. */
export function Bookmarking() {
  const { bookmarks, machine } = useConsole()
  const state = useBookmarks(all => all)
  useBookmarkCommands(bookmarks, state)
  const { unsaved } = state
  const isUnsaved = unsaved > 0
  const leaving = useConsoleState(({ value }) => value.leaving)
  useEffect(() => machine.send({ type: 'notes.changed', isUnsaved }), [machine, isUnsaved])
  useEffect(() => {
    if (!isUnsaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isUnsaved])
  const isSaving = leaving === 'saving'
  return (
    <Dialog
      title="Unsaved notes"
      role="alertdialog"
      isOpen={leaving === 'asking' || isSaving}
      onClose={machine.decline}
    >
      <p>{plural(unsaved, 'note')} in this file will be lost. The file on disk has not changed.</p>
      <DialogActions>
        <Button variant="quiet" onPress={machine.decline}>
          Cancel
        </Button>
        <Button isDisabled={isSaving} onPress={() => machine.send({ type: 'leave.confirmed' })}>
          Leave without saving
        </Button>
        <Button variant="primary" isPending={isSaving} onPress={() => machine.send({ type: 'leave.save' })}>
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
