// The log's head, its empty states, and the context menu of its rows.
import { ListChevronsUpDown, ListTree, ScrollText, SearchX } from 'lucide-react'
import { memo, useMemo } from 'react'
import { Button } from '../../widgets/button.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { cx } from '../../widgets/cx.ts'
import { count, plural } from '../text.ts'
import { useBookmarks, useConsole } from '../use-console.ts'
import styles from './log.module.css'
import type { Command } from '../place-commands.ts'
import type { ConsoleCommand } from '../commands/use-commands.ts'
import { ContextMenu, NO_GROUPS, type ContextMenuProps, type Pointed } from '../commands/context-menu.tsx'
import { useRegistry } from '../../widgets/palette/use-commands.ts'
import { eventCommands } from './event-commands.ts'

export interface LogHeadProps {
  readonly isGrouped: boolean
  readonly onGroup: (isGrouped: boolean) => void
  /** Number of groups, if any. */
  readonly groups: number | undefined
  /** Whether steps that only carry out an event are folded into it. */
  readonly isFolded: boolean
  readonly onCommand: (command: Command) => void
  /** Oldest events that the recording dropped. */
  readonly dropped: number
}

/** The same in every step. */
export const LogHead = memo(function LogHead(props: LogHeadProps) {
  const { dropped } = props
  return (
    <div role="row" aria-rowindex={1} className={styles.head}>
      {(['seq', 'time', 'actor', 'event', 'change', 'cause'] as const).map(column => (
        <span key={column} role="columnheader" className={styles[column]}>
          {column === 'change' ? 'state' : column}
          {column === 'event' && dropped > 0 ? (
            <span
              className={styles.dropped}
              title={`${plural(dropped, 'oldest event')} dropped: the recording is a ring`}
            >
              {count(dropped)} oldest dropped
            </span>
          ) : null}
          {column === 'cause' ? <Toggles {...props} /> : null}
        </span>
      ))}
    </div>
  )
})

function Toggles({ isGrouped, onGroup, groups, isFolded, onCommand }: LogHeadProps) {
  return (
    <span className={styles.toggles}>
      <button
        type="button"
        className={cx(styles.toggle, !isFolded && styles.on)}
        aria-pressed={!isFolded}
        aria-label="All steps"
        title="All steps: also starts, stops, ticks and events that are only passed on (H)"
        onClick={() => onCommand('allSteps')}
      >
        <ListChevronsUpDown size={13} aria-hidden />
      </button>
      <button
        type="button"
        className={cx(styles.toggle, isGrouped && styles.on)}
        aria-pressed={isGrouped}
        aria-label="Group by cause"
        title={
          groups === undefined
            ? 'Group by cause: collapse the events of one cause into one row'
            : `${plural(groups, 'group')}; left and right arrow keys collapse and expand`
        }
        onClick={() => onGroup(!isGrouped)}
      >
        <ListTree size={13} aria-hidden />
      </button>
    </span>
  )
}

export function Nothing({ live }: { readonly live: boolean }) {
  const { machine, header, timeline } = useConsole()
  if (live && header.steps === false) return <NoSteps stimuli={timeline.stimuli} onDerive={machine.derive} />
  return (
    <EmptyState icon={<ScrollText size={20} aria-hidden />} title="No events yet">
      {live ? 'Events appear here as machines run.' : 'This recording has no events.'}
    </EmptyState>
  )
}

/** Production recordings omit steps, because steps cost the most. */
function NoSteps({ stimuli, onDerive }: { readonly stimuli: number; readonly onDerive: () => void }) {
  return (
    <EmptyState
      icon={<ScrollText size={20} aria-hidden />}
      title="This recording has no steps"
      action={
        <Button size="s" onPress={onDerive}>
          Derive steps so far
        </Button>
      }
    >
      It contains only inputs ({plural(stimuli, 'event')} so far). A replay derives the steps.
    </EmptyState>
  )
}

export function NoMatch({ query, onClear }: { readonly query: string; readonly onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchX size={20} aria-hidden />}
      title={`No events match “${query}”`}
      action={
        <Button size="s" onPress={onClear}>
          Clear filter
        </Button>
      }
    >
      Terms are combined with “and”. Remove one, or negate it with a leading minus.
    </EmptyState>
  )
}

interface RowMenuProps {
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
  const { timeline, details, place, go, pick, bookmarks } = useConsole()
  const list = useBookmarks(all => all.list)
  const refusal = useBookmarks(all => all.refusal)
  const registry = useRegistry()
  return useMemo(() => {
    if (seq < 0) return NO_GROUPS
    const own = eventCommands(seq, { timeline, details, place, go })
    const of = (...prefixes: readonly string[]) =>
      own.filter(({ id }) => prefixes.some(prefix => id.startsWith(prefix)) && id !== 'mark.next')
    const isNoted = list.some(({ step }) => step === seq)
    const canBreak = registry
      .list()
      .some(({ id, disabled }) => id === 'drive.break' && disabled === undefined)
    const by = seq < 0 ? -1 : timeline.by(seq)
    const more: readonly ConsoleCommand[] = [
      {
        id: 'bookmark',
        title: isNoted ? 'Edit bookmark…' : 'Add bookmark…',
        section: 'Move',
        ...(refusal !== undefined && { disabled: refusal }),
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
  }, [seq, timeline, details, place, go, pick, bookmarks, list, refusal, registry])
}
