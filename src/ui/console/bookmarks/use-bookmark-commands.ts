// Bookmark commands for keys and the palette.
import { useMemo } from 'react'
import { useCommands } from '../commands/use-commands.ts'
import type { ConsoleCommand } from '../commands/command.ts'
import { useConsole } from '../use-console.ts'
import { nextNote, toggledQuery } from './bookmark-store.ts'
import type { Bookmarks } from './use-bookmarks.ts'

/** Registers the commands; `show` opens and closes the panel. */
export function useBookmarkCommands(bookmarks: Bookmarks, show: (isOpen: boolean) => void): void {
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
