// A chart's states as a tree: the accessible version of the chart, and an optional panel.
import { memo, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import type { ChartState, MachineChart } from '../../../trace/index.ts'
import { cx } from '../../widgets/cx.ts'
import { count as grouped } from '../text.ts'
import type { ChartActivity } from './chart-activity.ts'
import type { Counts } from './chart-counts.ts'
import parts from '../canvas/parts.module.css'
import styles from './outline.module.css'
import { containerOf } from './chart-parts.ts'
import type { ChartChoices } from './use-chart-choices.ts'

export interface OutlineProps {
  readonly chart: MachineChart
  readonly activity: ChartActivity
  readonly counts: Counts
  readonly choices: ChartChoices
  readonly id?: string
  /** Called when a state is chosen. */
  readonly onPick?: (path: string) => void
}

interface Row {
  readonly state: ChartState
  readonly level: number
  readonly place: number
  readonly of: number
  readonly isExpanded: boolean | undefined
}

/** Visually hidden until opened or focused. */
export function Outline({ chart, activity, counts, choices, id, onPick }: OutlineProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [at, setAt] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const rows = useMemo(() => rowsOf(chart.root, closed), [chart, closed])
  const current = rows.some(({ state }) => state.path === at) ? at : rows[0]?.state.path
  const focus = (path: string | undefined) => {
    if (path === undefined) return
    setAt(path)
    const item = list.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)
    item?.focus()
  }
  const toggle = (path: string, isClosing: boolean) => {
    const next = new Set(closed)
    if (isClosing) next.add(path)
    else next.delete(path)
    setClosed(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event.key, rows, current)
    if (!step) return
    event.preventDefault()
    event.stopPropagation()
    if (step.focus !== undefined) focus(step.focus)
    if (step.toggle !== undefined) toggle(step.toggle, event.key === 'ArrowLeft')
    if (step.pick !== undefined) onPick?.(step.pick)
  }
  const onClick = ({ target }: MouseEvent) => {
    const path = target instanceof Element && target.closest('[data-path]')?.getAttribute('data-path')
    if (typeof path !== 'string') return
    setAt(path)
    onPick?.(path)
  }
  return (
    <ul
      ref={list}
      className={cx(styles.outline, choices.isOutlined && styles.shown)}
      id={id}
      role="tree"
      aria-label={`States of ${chart.id}`}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      {rows.map(row => (
        <Item
          key={row.state.path}
          row={row}
          isCurrent={row.state.path === current}
          isActive={activity.active.has(row.state.path)}
          isSelected={choices.target?.kind === 'state' && choices.target.path === row.state.path}
          visits={counts.states.get(row.state.path) ?? 0}
        />
      ))}
    </ul>
  )
}

interface ItemProps {
  readonly row: Row
  readonly isCurrent: boolean
  readonly isActive: boolean
  readonly isSelected: boolean
  readonly visits: number
}

/** Most states do not change in a step, and so do not rerender. */
const Item = memo(function Item({ row, isCurrent, isActive, isSelected, visits }: ItemProps) {
  const { state, level, place, of, isExpanded } = row
  const kind = state.type === 'atomic' || state.type === 'compound' ? '' : `, ${state.type}`
  const label = `${kind}${isActive ? ', active' : ''}, ${visits === 0 ? 'never entered' : 'entered '}`
  return (
    <li
      role="treeitem"
      data-path={state.path}
      aria-level={level}
      aria-posinset={place}
      aria-setsize={of}
      aria-expanded={isExpanded}
      aria-selected={isSelected}
      tabIndex={isCurrent ? 0 : -1}
      className={cx(styles.item, isActive && styles.active, visits === 0 && styles.never)}
      style={{ paddingLeft: 8 + (level - 1) * 14 }}
    >
      <span aria-hidden className={styles.dot} />
      <span className={styles.key}>{state.key}</span>
      <span className={parts.unseen}>{label}</span>
      {visits === 0 ? null : <span className={styles.visits}>{grouped(visits)}×</span>}
    </li>
  )
})

function rowsOf(parent: ChartState, closed: ReadonlySet<string>, level = 1): readonly Row[] {
  return parent.states.flatMap((state, at) => {
    const holds = state.states.length > 0
    const isExpanded = holds ? !closed.has(state.path) : undefined
    const row = { state, level, place: at + 1, of: parent.states.length, isExpanded }
    return isExpanded === true ? [row, ...rowsOf(state, closed, level + 1)] : [row]
  })
}

interface OutlineMove {
  readonly focus?: string | undefined
  readonly toggle?: string
  readonly pick?: string
}

/** Returns the tree action of a key. */
function stepOf(key: string, rows: readonly Row[], current: string | undefined): OutlineMove | undefined {
  const at = rows.findIndex(({ state }) => state.path === current)
  const row = rows[at]
  if (!row) return undefined
  const { path } = row.state
  switch (key) {
    case 'ArrowDown':
      return { focus: rows[at + 1]?.state.path }
    case 'ArrowUp':
      return { focus: rows[at - 1]?.state.path }
    case 'Home':
      return { focus: rows[0]?.state.path }
    case 'End':
      return { focus: rows.at(-1)?.state.path }
    case 'ArrowRight':
      if (row.isExpanded === false) return { toggle: path }
      return row.isExpanded === true ? { focus: rows[at + 1]?.state.path } : {}
    case 'ArrowLeft':
      return row.isExpanded === true ? { toggle: path } : { focus: containerOf(path) || undefined }
    case 'Enter':
    case ' ':
      return { pick: path }
    default:
      return undefined
  }
}
