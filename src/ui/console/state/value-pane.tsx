// A pane for a value: search field, tree, and the selected row in full.
import { useCallback, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { ActorReference } from '../../../trace/index.ts'
import { type ConsoleCommand, useCommands } from '../commands/use-commands.ts'
import { useConsole } from '../use-console.ts'
import type { ChangeNode } from './use-changes.ts'
import { copyJson } from './clipboard.ts'
import { searchValue, type Found } from './search.ts'
import { ShownTree } from './shown-tree.ts'
import type { TreeRow } from './tree-row.ts'
import { useSliced } from './sliced.ts'
import { dotted, quotedTerm } from './state-path.ts'
import styles from './state.module.css'
import { useTreeState, ValueTree } from './value-tree.tsx'
import { useValueActions, type ActionOptions, type ValueAction, ValueStrip } from './value-strip.tsx'
import { Menu, MenuItem, Popover } from 'react-aria-components'
import { cx } from '../../widgets/cx.ts'
import menu from '../../widgets/menu.module.css'
import { ChevronDown, ChevronUp, ListFilter, ScrollText } from 'lucide-react'
import { ToolButton } from '../../widgets/button.tsx'
import { count } from '../text.ts'
import search from './search.module.css'

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

interface ValueMenuProps {
  readonly at: Element | undefined
  readonly actions: readonly ValueAction[]
  readonly onClose: () => void
}

function ValueMenu({ at, actions, onClose }: ValueMenuProps) {
  return (
    <Popover
      triggerRef={{ current: at ?? null }}
      isOpen={at !== undefined}
      onOpenChange={isOpen => isOpen || onClose()}
      placement="bottom start"
      className={cx(menu.menu)}
    >
      <Menu
        aria-label="Value"
        className={cx(menu.items)}
        onAction={key => {
          actions.find(({ id }) => id === key)?.run()
          onClose()
        }}
      >
        {actions.map(({ id, title, icon }) => (
          <MenuItem key={id} id={id} textValue={title} className={cx(menu.item)}>
            {icon}
            {title}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  )
}

interface SearchBarProps {
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly text: string
  readonly onText: (text: string) => void
  /** Undefined while searching. */
  readonly found: Found | undefined
  /** Index of the current match; -1 for none. */
  readonly at: number
  readonly onStep: (by: 1 | -1) => void
  readonly isFilter: boolean
  readonly onFilter: (isFilter: boolean) => void
  /** Searches all records. */
  readonly onOverTime: (() => void) | undefined
  /** Returns to the tree. */
  readonly onLeave: () => void
}

function SearchBar(props: SearchBarProps) {
  const { inputRef, text, onText, found, at, onStep, isFilter, onFilter, onOverTime, onLeave } = props
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1)
    else if (event.key === 'ArrowDown') onLeave()
    else if (event.key === 'Escape') {
      if (text === '') onLeave()
      else onText('')
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const isNone = found?.total === 0
  return (
    <search className={search.bar}>
      <input
        ref={inputRef}
        className={search.input}
        aria-label="Find in this value"
        aria-keyshortcuts="Control+F Meta+F"
        placeholder="Find a name or a value"
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={event => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {text === '' ? null : (
        <>
          <span className={search.count} role="status">
            {countText(found, at)}
          </span>
          <ToolButton
            icon={ChevronUp}
            label="Previous match"
            isDisabled={isNone}
            onPress={() => onStep(-1)}
          />
          <ToolButton icon={ChevronDown} label="Next match" isDisabled={isNone} onPress={() => onStep(1)} />
          <ToolButton
            icon={ListFilter}
            label="Show only matches"
            isOn={isFilter}
            onPress={() => onFilter(!isFilter)}
          />
          {onOverTime ? (
            <ToolButton icon={ScrollText} label="Find it over time, in the log" onPress={onOverTime} />
          ) : null}
        </>
      )}
    </search>
  )
}

function countText(found: Found | undefined, at: number): string {
  if (!found) return '…'
  if (found.total === 0) return 'none'
  return at < 0 ? count(found.total) : `${count(at + 1)} of ${count(found.total)}`
}
