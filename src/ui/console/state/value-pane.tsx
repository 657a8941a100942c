// A pane for a value: search field, tree, and the selected row in full.
import { useCallback, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { ActorReference } from '../../../trace/index.ts'
import type { ConsoleCommand } from '../commands/command.ts'
import { useCommands } from '../commands/use-commands.ts'
import { useConsole } from '../use-console.ts'
import type { ChangeNode } from './change-tree.ts'
import { copyJson } from './clipboard.ts'
import { searchValue } from './search.ts'
import { ShownTree } from './shown-tree.ts'
import type { TreeRow } from './tree-row.ts'
import { useSliced } from './sliced.ts'
import { dotted, quotedTerm } from './state-path.ts'
import styles from './state.module.css'
import { SearchBar } from './search-bar.tsx'
import { useTreeState } from './use-tree-state.ts'
import { useValueActions, type ActionOptions, type ValueAction } from './value-actions.tsx'
import { ValueMenu } from './value-menu.tsx'
import { ValueStrip } from './value-strip.tsx'
import { ValueTree } from './value-tree.tsx'

export interface ValuePaneProps extends ActionOptions {
  readonly value: unknown
  readonly label: string
  readonly changes?: ChangeNode | undefined
  /** Query key with which a search over time starts. */
  readonly overTime?: 'holds'
}

export function ValuePane({ value, label, changes, overTime, ...options }: ValuePaneProps) {
  const { timeline, place, go } = useConsole()
  const state = useTreeState()
  const field = useRef<HTMLInputElement>(null)
  const pane = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const [isFilter, setFilter] = useState(true)
  const [menuAt, setMenuAt] = useState<Element>()
  const found = useSliced(useCallback(() => searchValue(value, text.trim()), [value, text]))
  const actionsOf = useValueActions(options)
  const hits = isFilter && found && found.total > 0 ? found.tree : undefined
  const { chosen, current } = state
  const tree = useMemo(() => new ShownTree(value, { chosen, changes, hits }), [value, chosen, changes, hits])
  const row = current === undefined ? undefined : tree.row(tree.indexOf(current))
  useCommands(row ? actionCommands(row, actionsOf(row)) : NO_COMMANDS)
  const at = current === undefined ? -1 : (found?.pointers.indexOf(current) ?? -1)
  const step = (by: 1 | -1) => {
    const all = found?.pointers ?? []
    const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : (at + by + all.length) % all.length]
    if (next === undefined) return
    state.open(above(next), true)
    state.setCurrent(next)
  }
  const act = ({ node, value: named }: TreeRow) => {
    if (node.kind !== 'actor' || !(named instanceof ActorReference)) return
    const entry = timeline.actors.find(({ path }) => path === named.path)
    if (entry) go({ type: 'actor', actor: entry.index })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== 'f') return
    event.preventDefault()
    event.stopPropagation()
    field.current?.select()
    field.current?.focus()
  }
  const focusTree = () => pane.current?.querySelector<HTMLElement>('[role=tree]')?.focus()
  return (
    // Handles keys of its content.
    <div ref={pane} role="presentation" className={styles.value} onKeyDown={onKeyDown}>
      <SearchBar
        inputRef={field}
        text={text}
        onText={setText}
        found={found}
        at={at}
        onStep={step}
        isFilter={isFilter}
        onFilter={setFilter}
        onOverTime={
          overTime &&
          (() => go({ type: 'query', query: `${place.query} ${overTime}:${quotedTerm(text.trim())}`.trim() }))
        }
        onLeave={focusTree}
      />
      <ValueTree
        tree={tree}
        label={label}
        state={state}
        wanted={found?.text ?? ''}
        onAct={act}
        onCopy={({ value: copied, pointer }) => copyJson(copied, dotted(pointer))}
        onMenu={(_, element) => setMenuAt(element)}
      />
      {row ? (
        <ValueStrip key={row.pointer} row={row} actions={actionsOf(row)} wanted={found?.text ?? ''} />
      ) : null}
      <ValueMenu at={menuAt} actions={row ? actionsOf(row) : []} onClose={() => setMenuAt(undefined)} />
    </div>
  )
}

const NO_COMMANDS: readonly ConsoleCommand[] = []

/** The same as commands for the palette. */
const actionCommands = ({ name }: TreeRow, actions: readonly ValueAction[]): readonly ConsoleCommand[] =>
  actions.map(({ id, title, run }) => ({
    id: `value.${id}`,
    title: `${title} · ${name}`,
    section: 'State',
    words: 'value chosen row',
    run,
  }))

/** Returns the pointers of all parents of a pointer. */
function above(pointer: string): readonly string[] {
  const names = pointer.split('/').slice(1, -1)
  return names.map((_, at) => `/${names.slice(0, at + 1).join('/')}`)
}
