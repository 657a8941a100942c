// The menu of a row of the log: what can be done with its event.
import { useMemo } from 'react'
import { Menu, MenuItem, MenuSection, Popover, Separator } from 'react-aria-components'
import { useBookmarks } from '../bookmarks/use-bookmarks.ts'
import type { ConsoleCommand } from '../commands/command.ts'
import { useRegistry } from '../commands/use-commands.ts'
import { cx } from '../../widgets/cx.ts'
import styles from '../layout/layout.module.css'
import { useConsole } from '../use-console.ts'
import { eventCommands } from './event-commands.ts'
import type { OpenMenu } from './use-row-menu.ts'

export interface RowMenuProps {
  /** The event and where its menu stands; absent while it is closed. */
  readonly open: OpenMenu | undefined
  readonly onClose: () => void
}

export function RowMenu({ open, onClose }: RowMenuProps) {
  const groups = useRowCommands(open?.seq ?? -1)
  const all = groups.flat()
  return (
    <Popover
      triggerRef={{ current: open?.anchor ?? null }}
      isOpen={open !== undefined}
      onOpenChange={isOpen => isOpen || onClose()}
      placement="bottom start"
      crossOffset={open?.offset ?? 0}
      className={cx(styles.menu)}
    >
      <Menu
        autoFocus="first"
        aria-label={`Event ${open?.seq ?? ''}`}
        className={cx(styles.items)}
        disabledKeys={all.flatMap(({ id, disabled }) => (disabled === undefined ? [] : [id]))}
        onAction={key => {
          onClose()
          all.find(({ id }) => id === key)?.run()
        }}
      >
        {groups.map((group, at) => (
          <MenuSection key={group[0]?.id ?? at} aria-label={SECTIONS[at] ?? ''}>
            {group.map(({ id, title, disabled }, place) => (
              <MenuItem key={id} id={id} textValue={title} className={cx(styles.item, styles.plain)}>
                {at > 0 && place === 0 ? <Separator className={cx(styles.parting)} /> : null}
                {title}
                {disabled === undefined ? null : <span className={styles.text}>{disabled}</span>}
              </MenuItem>
            ))}
          </MenuSection>
        ))}
      </Menu>
    </Popover>
  )
}

const SECTIONS = ['Go and mark', 'Show', 'Copy'] as const

function useRowCommands(seq: number): readonly (readonly ConsoleCommand[])[] {
  const { timeline, details, place, go, pick } = useConsole()
  const bookmarks = useBookmarks()
  const registry = useRegistry()
  return useMemo(() => {
    const own = eventCommands(seq, { timeline, details, place, go })
    const of = (...prefixes: readonly string[]) =>
      own.filter(({ id }) => prefixes.some(prefix => id.startsWith(prefix)) && id !== 'mark.next')
    const isNoted = bookmarks.list.some(({ view }) => view === seq)
    const canBreak = registry
      .list()
      .some(({ id, disabled }) => id === 'drive.break' && disabled === undefined)
    const by = seq < 0 ? -1 : timeline.by(seq)
    const more: readonly ConsoleCommand[] = [
      {
        id: 'bookmark',
        title: isNoted ? 'Edit its bookmark…' : 'Bookmark it…',
        section: 'Move',
        ...(bookmarks.refusal !== undefined && { disabled: bookmarks.refusal }),
        run: () => bookmarks.write(seq),
      },
      {
        id: 'break',
        title: 'Break where it led',
        section: 'Drive',
        ...(!canBreak && { disabled: 'nothing is driven' }),
        run: () => registry.run('drive.break'),
      },
      {
        id: 'cause',
        title: 'To its cause',
        section: 'Move',
        ...(by < 0 && { disabled: 'it came from outside' }),
        run: () => pick(by),
      },
    ]
    return [[...of('mark.'), ...more], of('filter.'), of('copy.')]
  }, [seq, timeline, details, place, go, pick, bookmarks, registry])
}
