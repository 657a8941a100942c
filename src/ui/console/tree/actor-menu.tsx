// The context menu of an actor: its events in the log, its first and last one, and its state as JSON.
import { useMemo } from 'react'
import { ContextMenu, NO_GROUPS, type ContextMenuProps, type Pointed } from '../commands/context-menu.tsx'
import { actorCommands } from './actor-commands.ts'
import { useConsole } from '../use-console.ts'

export interface ActorMenuProps {
  readonly open: Pointed | undefined
  readonly onClose: () => void
}

export function ActorMenu({ open, onClose }: ActorMenuProps) {
  const { timeline, details, selection, place, go, pick } = useConsole()
  const actor = open ? Number(open.what) : -1
  const { at } = selection
  const { query } = place
  const groups = useMemo<ContextMenuProps['groups']>(() => {
    if (actor < 0) return NO_GROUPS
    const all = actorCommands(actor, { timeline, details, at, query, go, pick })
    return [
      { name: 'Go', commands: all.filter(({ id }) => id.startsWith('actor.go')) },
      { name: 'Show', commands: all.filter(({ id }) => id.startsWith('actor.show')) },
      { name: 'Copy', commands: all.filter(({ id }) => id.startsWith('actor.copy')) },
    ]
  }, [actor, timeline, details, at, query, go, pick])
  return (
    <ContextMenu
      open={open}
      label={timeline.actors[actor]?.path ?? 'Actor'}
      groups={groups}
      onClose={onClose}
    />
  )
}
