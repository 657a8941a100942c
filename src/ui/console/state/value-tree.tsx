// A value of any size as a virtualized tree, operated by mouse and keyboard.
import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useMemo,
} from 'react'
import { useRowWindow } from '../use-row-window.ts'
import { pointed } from '../../widgets/pointed.ts'
import { useTransient } from '../../widgets/time.ts'
import type { ShownTree } from './shown-tree.ts'
import type { TreeRow } from './tree-row.ts'
import { below, namesOf } from './state-path.ts'
import styles from './tree.module.css'
import { ValueRow } from './value-row.tsx'

const ROW = 22
/** Maximum members expanded by `*`. */
const WIDENED = 500
/** Letters typed within this time of each other belong to one name. */
const TYPED_MS = 1_200

export interface ValueTreeProps {
  readonly tree: ShownTree
  readonly label: string
  readonly state: TreeState
  /** The search text; empty for no search. */
  readonly wanted?: string
  /** Enter on a value without members, or a click on an actor's name. */
  readonly onAct: (row: TreeRow) => void
  readonly onCopy: (row: TreeRow) => void
  /** Opens the menu of a row. */
  readonly onMenu: (row: TreeRow, at: Element) => void
}

export function ValueTree(props: ValueTreeProps) {
  const { tree, label, state, wanted = '', onAct, onCopy, onMenu } = props
  const { current, setCurrent, open } = state
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useTransient<string>(TYPED_MS)
  const at = Math.max(0, current === undefined ? 0 : tree.indexOf(current))
  const view = useRowWindow({ count: tree.size, size: ROW, scroller })
  const reveal = useEffectEvent(() => view.reveal(at))
  useEffect(() => reveal(), [current])
  const go = (row: TreeRow | undefined) => row && setCurrent(row.pointer)
  const act = (move: TreeMove) => {
    if (move.kind === 'go') return go(tree.row(move.row))
    go(move.row)
    if (move.kind === 'open') open([move.row.pointer], move.isOpen)
    else if (move.kind === 'widen') open(siblings(tree, move.row), true)
    else onAct(move.row)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = tree.row(at)
    const isMod = event.ctrlKey || event.metaKey
    if (isMod && event.key === 'c' && row && String(getSelection()) === '') onCopy(row)
    else if (row && (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')))
      onMenu(row, rowElement(event.currentTarget, row) ?? event.currentTarget)
    else if (isMod || event.altKey) return
    else {
      const move = moveInValues(tree, at, event.key)
      const next = move ? undefined : typedAfter(typed, event.key)
      if (!move && next === undefined) return
      setTyped(next)
      if (move) act(move)
      else if (next !== '') go(tree.row(findByName(tree, at, next ?? '')))
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const rowOf = ({ target }: MouseEvent) => {
    const pointer =
      target instanceof Element ? target.closest('[data-pointer]')?.getAttribute('data-pointer') : null
    return typeof pointer === 'string' ? tree.row(tree.indexOf(pointer)) : undefined
  }
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={pointed(view.items, at, `${id}-${at}`)}
      data-typing={typed === undefined ? undefined : ''}
      className={styles.tree}
      onKeyDown={onKeyDown}
      onClick={event => {
        const row = rowOf(event)
        if (!row) return
        go(row)
        if (row.isOpen !== undefined) open([row.pointer], !row.isOpen)
        else if (row.node.kind === 'actor' && isOnValue(event)) onAct(row)
      }}
      onContextMenu={event => {
        const row = rowOf(event)
        if (!row) return
        event.preventDefault()
        go(row)
        onMenu(row, event.target instanceof Element ? event.target : event.currentTarget)
      }}
    >
      <div role="none" className={styles.sheet} style={{ height: view.total }}>
        {view.items.map(({ index, start }) => {
          const row = tree.row(index)
          return row ? (
            <ValueRow
              key={row.pointer}
              id={`${id}-${index}`}
              row={row}
              top={start}
              isCurrent={index === at && current !== undefined}
              wanted={wanted}
            />
          ) : null
        })}
      </div>
      {typed === undefined ? null : (
        <output className={styles.typed}>{typed === '' ? 'name…' : typed}</output>
      )}
    </div>
  )
}

const isOnValue = ({ target }: MouseEvent): boolean =>
  target instanceof Element && target.closest(`.${styles.actor ?? ''}`) !== null

const rowElement = (tree: Element, { pointer }: TreeRow): Element | null =>
  tree.querySelector(`[data-pointer="${CSS.escape(pointer)}"]`)

function siblings(tree: ShownTree, row: TreeRow): readonly string[] {
  const parent = row.pointer.slice(0, row.pointer.lastIndexOf('/'))
  return tree
    .names(parent)
    .slice(0, WIDENED)
    .map(name => below(parent, name))
}

/**
 * Returns the typed text after this key: letters without a command start a name, and after a quote all
 * letters do.
 */
function typedAfter(typed: string | undefined, key: string): string | undefined {
  if (key === "'") return ''
  if (key === 'Backspace') return typed?.slice(0, -1)
  return /^[\p{L}\p{N}_$-]$/u.test(key) ? (typed ?? '') + key : undefined
}

/** The action of a key. */
type TreeMove =
  | { readonly kind: 'go'; readonly row: number }
  | { readonly kind: 'open'; readonly row: TreeRow; readonly isOpen: boolean }
  /** Expands all siblings. */
  | { readonly kind: 'widen'; readonly row: TreeRow }
  /** Enter: the action of the value itself. */
  | { readonly kind: 'act'; readonly row: TreeRow }

const PAGE = 12

/** Returns the action from the row at `at`; undefined for other keys. */
export function moveInValues(tree: ShownTree, at: number, key: string): TreeMove | undefined {
  const row = tree.row(at)
  const last = tree.size - 1
  const go = (to: number): TreeMove => ({ kind: 'go', row: Math.max(0, Math.min(last, to)) })
  switch (key) {
    case 'ArrowDown':
      return go(at + 1)
    case 'ArrowUp':
      return go(at - 1)
    case 'PageDown':
      return go(at + PAGE)
    case 'PageUp':
      return go(at - PAGE)
    case 'Home':
      return go(0)
    case 'End':
      return go(last)
    case 'ArrowRight':
      if (row?.isOpen === undefined) return go(at)
      return row.isOpen ? go(at + 1) : { kind: 'open', row, isOpen: true }
    case 'ArrowLeft':
      return row?.isOpen ? { kind: 'open', row, isOpen: false } : go(above(tree, row, at))
    case '*':
      return row && { kind: 'widen', row }
    case 'Enter':
    case ' ':
      if (!row) return undefined
      return row.isOpen === undefined ? { kind: 'act', row } : { kind: 'open', row, isOpen: !row.isOpen }
    default:
      return undefined
  }
}

function above(tree: ShownTree, row: TreeRow | undefined, at: number): number {
  const parent = row?.pointer.slice(0, row.pointer.lastIndexOf('/')) ?? ''
  const found = parent === '' ? -1 : tree.indexOf(parent)
  return found < 0 ? at : found
}

/** Maximum rows to search for a name. */
const LOOKED_AT = 5_000

/**
 * Finds the next row whose name starts with the text, from the row at `at`, wrapping around; -1 if there is
 * none.
 */
export function findByName(tree: ShownTree, at: number, text: string): number {
  const wanted = text.toLowerCase()
  // While a name is being typed, the current row may keep matching.
  const from = text.length > 1 ? 0 : 1
  for (let step = from; step < Math.min(tree.size + from, LOOKED_AT); step++) {
    const place = (Math.max(0, at) + step) % tree.size
    if (tree.row(place)?.name.toLowerCase().startsWith(wanted)) return place
  }
  return -1
}

interface TreeState {
  readonly chosen: ReadonlyMap<string, ReadonlyMap<string, boolean>>
  /** Pointer of the active row. */
  readonly current: string | undefined
  readonly setCurrent: (pointer: string) => void
  readonly open: (pointers: readonly string[], isOpen: boolean) => void
}

export function useTreeState(): TreeState {
  const [chosen, setChosen] = useState<TreeState['chosen']>(new Map())
  const [current, setCurrent] = useState<string>()
  const open = useCallback<TreeState['open']>((pointers, isOpen) => {
    setChosen(known => {
      const next = new Map(known)
      for (const pointer of pointers) {
        const parent = pointer.slice(0, pointer.lastIndexOf('/'))
        next.set(parent, new Map(next.get(parent)).set(namesOf(pointer).at(-1) ?? '', isOpen))
      }
      return next
    })
  }, [])
  return useMemo(() => ({ chosen, current, setCurrent, open }), [chosen, current, open])
}
