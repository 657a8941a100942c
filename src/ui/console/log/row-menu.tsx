// The context menu of a row of the log.
import { useMemo } from 'react'
import { useBookmarks } from '../bookmarks/use-bookmarks.ts'
import type { ConsoleCommand } from '../commands/command.ts'
import { ContextMenu, NO_GROUPS, type ContextMenuProps, type Pointed } from '../commands/context-menu.tsx'
import { useRegistry } from '../../widgets/palette/use-commands.ts'
import { count } from '../text.ts'
import { useConsole } from '../use-console.ts'
import { eventCommands } from './event-commands.ts'

export interface RowMenuProps {
  /** Undefined while closed. */
  readonly open: Pointed | undefined
  readonly onClose: () => void
}

export function RowMenu({ open, onClose }: RowMenuProps) {
  const seq = open ? Number(open.what) : -1
  return (
    <ContextMenu open={open} label={`Event ${count(seq)}`} groups={useRowCommands(seq)} onClose={onClose} />
  )
}

function useRowCommands(seq: number): ContextMenuProps['groups'] {
  const { timeline, details, place, go, pick } = useConsole()
  const bookmarks = useBookmarks()
  const registry = useRegistry()
  return useMemo(() => {
    if (seq < 0) return NO_GROUPS
    const own = eventCommands(seq, { timeline, details, place, go })
    const of = (...prefixes: readonly string[]) =>
      own.filter(({ id }) => prefixes.some(prefix => id.startsWith(prefix)) && id !== 'mark.next')
    const isNoted = bookmarks.list.some(({ step }) => step === seq)
    const canBreak = registry
      .list()
      .some(({ id, disabled }) => id === 'drive.break' && disabled === undefined)
    const by = seq < 0 ? -1 : timeline.by(seq)
    const more: readonly ConsoleCommand[] = [
      {
        id: 'bookmark',
        title: isNoted ? 'Edit bookmark…' : 'Add bookmark…',
        section: 'Move',
        ...(bookmarks.refusal !== undefined && { disabled: bookmarks.refusal }),
        run: () => bookmarks.write(seq),
      },
      {
        id: 'break',
        title: 'Add breakpoint',
        section: 'Control',
        ...(!canBreak && { disabled: 'nothing can be controlled' }),
        run: () => registry.run('drive.break'),
      },
      {
        id: 'cause',
        title: 'Go to cause',
        section: 'Move',
        ...(by < 0 && { disabled: 'it came from outside the system' }),
        run: () => pick(by),
      },
    ]
    return [
      { name: 'Go and mark', commands: [...of('mark.'), ...more] },
      { name: 'Show', commands: of('filter.') },
      { name: 'Copy', commands: of('copy.') },
    ]
  }, [seq, timeline, details, place, go, pick, bookmarks, registry])
}
