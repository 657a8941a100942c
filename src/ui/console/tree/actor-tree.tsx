// The tree of actors with their states at the shown moment, virtualized.
import { Network } from 'lucide-react'
import {
  memo,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
} from 'react'
import type { MachineChart, Timeline } from '../../../trace/index.ts'
import { EmptyState } from '../../widgets/state.tsx'
import {
  usePointed,
  ContextMenu,
  NO_GROUPS,
  type ContextMenuProps,
  type Pointed,
} from '../commands/context-menu.tsx'
import { useKeyNotes } from '../commands/use-commands.ts'
import type { Selection } from '../model/place.ts'
import { useDebounced } from '../use-paced.ts'
import { useRowWindow } from '../use-row-window.ts'
import { pointed } from '../../widgets/pointed.ts'
import { ActorRow } from './actor-row.tsx'
import styles from './actor-tree.module.css'
import { useActorSentence } from './use-actor-sentence.ts'
import { moveInTree, treeRows, type TreeRow } from './tree-rows.ts'
import { actorCommands } from './actor-commands.ts'
import { useConsole } from '../use-console.ts'

const ROW = 24
/** Longer than the repeat interval of a held key, shorter than what users notice. */
const SETTLE_MS = 80
const KEYS = [
  {
    id: 'tree.arrows',
    section: 'Move',
    keys: ['ArrowUp', 'ArrowDown'],
    text: 'In the actors: previous or next line',
  },
  {
    id: 'tree.fold',
    section: 'Move',
    keys: ['ArrowLeft', 'ArrowRight'],
    text: 'In the actors: collapse or expand a line',
  },
] as const

export interface ActorTreeProps {
  readonly timeline: Timeline
  readonly selection: Selection
  readonly charts: Readonly<Record<string, MachineChart>>
  readonly onSelect: (actor: number) => void
}

/** Selecting a line selects its actor; groups only expand and collapse. */
export const ActorTree = memo(function ActorTree({ timeline, selection, charts, onSelect }: ActorTreeProps) {
  const { at, actor } = selection
  const aboutOf = useActorSentence()
  useKeyNotes(KEYS)
  const tree = useRef<HTMLDivElement>(null)
  const id = useId()
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [focused, setFocused] = useState<string>()
  // Stepping through the log switches actors: groups expand only for the actor where it stops.
  const settled = useDebounced(actor, SETTLE_MS)
  const rows = useMemo(
    () => treeRows({ timeline, seq: at, selected: settled, chosen }),
    [timeline, at, settled, chosen],
  )
  const current = currentRow(rows, focused, actor)
  const window = useRowWindow({ count: rows.length, size: ROW, scroller: tree })
  const shownRow = rows.findIndex(({ key }) => key === `actor:${settled}`)
  const { following } = selection
  const first = useRef(settled)
  const reveal = useEffectEvent(() => {
    // The list starts at its top: only another actor than the first one scrolls it.
    if (settled !== first.current || !following) window.reveal(shownRow)
  })
  // The final line must be visible.
  useEffect(() => {
    if (shownRow >= 0) reveal()
  }, [settled, shownRow])
  const open = ({ key }: TreeRow, isOpen: boolean) => setChosen(known => new Map(known).set(key, isOpen))
  const go = (row: TreeRow | undefined) => {
    if (!row) return
    setFocused(row.key)
    window.reveal(rows.indexOf(row))
    if (row.kind === 'actor') onSelect(row.actor)
  }
  const chooseActor = useCallback((chosenActor: string) => onSelect(Number(chosenActor)), [onSelect])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = moveInTree(rows, current, event.key)
    if (!step) return
    event.preventDefault()
    if (step.open === undefined) go(step.row)
    else if (step.row) open(step.row, step.open)
  }
  const onClick = (event: MouseEvent) => {
    const target = event.target instanceof Element ? event.target : undefined
    const row = rows.find(({ key }) => key === target?.closest('[data-key]')?.getAttribute('data-key'))
    if (!row) return
    const folds = row.kind !== 'actor' || target?.closest('[data-chevron]')
    if (folds && row.isOpen !== undefined) open(row, !row.isOpen)
    if (!target?.closest('[data-chevron]')) go(row)
  }
  const menu = usePointed('data-actor', chooseActor)
  if (rows.length === 0) {
    return (
      <EmptyState icon={<Network size={20} aria-hidden />} title="No actors yet">
        Machines, requests and channels appear here with their states, starting with their first event.
      </EmptyState>
    )
  }
  return (
    <div
      ref={tree}
      role="treegrid"
      aria-label="Actors"
      aria-rowcount={rows.length}
      tabIndex={0}
      aria-activedescendant={pointed(window.items, current, `${id}-${rows[current]?.key}`)}
      className={styles.tree}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onContextMenu={menu.onContextMenu}
    >
      <div role="rowgroup" className={styles.sheet} style={{ height: window.total }}>
        {window.items.map(({ index: at_, start }) => {
          const row = rows[at_]
          return row ? (
            <ActorRow
              key={row.key}
              id={`${id}-${row.key}`}
              row={row}
              number={at_ + 1}
              top={start}
              timeline={timeline}
              at={at}
              charts={charts}
              about={row.kind === 'actor' ? aboutOf(row.actor) : undefined}
              isSelected={row.kind === 'actor' && row.actor === actor}
              isCurrent={at_ === current}
            />
          ) : null
        })}
      </div>
      <ActorMenu open={menu.open} onClose={menu.close} />
    </div>
  )
})

/** Returns the active row for keys: the focused one, else the selected actor's. */
function currentRow(rows: readonly TreeRow[], focused: string | undefined, actor: number): number {
  const known = focused === undefined ? -1 : rows.findIndex(({ key }) => key === focused)
  const isElsewhere = known >= 0 && rows[known]?.kind === 'actor' && rows[known].actor !== actor
  return known >= 0 && !isElsewhere ? known : rows.findIndex(({ key }) => key === `actor:${actor}`)
}

interface ActorMenuProps {
  readonly open: Pointed | undefined
  readonly onClose: () => void
}

/** The context menu of an actor: its events in the log, its first and last one, and its state as JSON. */
function ActorMenu({ open, onClose }: ActorMenuProps) {
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
