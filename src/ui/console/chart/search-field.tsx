// Searches the chart: matches are highlighted and centered one after the other.
import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { drawnPath } from './chart-parts.ts'
import type { PlacedChart } from './placed-chart.ts'
import type { ChartTarget } from './chart-shapes.tsx'
import styles from './tools.module.css'
import type { ChartChoices } from './use-chart-choices.ts'
import type { View } from './use-view-port.ts'

export interface SearchFieldProps {
  readonly placed: PlacedChart
  readonly view: View
  readonly choices: ChartChoices
  /** Whether the whole chart, which a search covers, is not drawn yet. */
  readonly isFocus: boolean
}

/** Enter goes to the next match, Shift+Enter to the previous one, Escape clears. */
export function SearchField({ placed, view, choices, isFocus }: SearchFieldProps) {
  const [at, setAt] = useState(-1)
  const { query, found } = choices
  const hits = found ? hitsOf(found, placed) : []
  const wished = useRef<number>(undefined)
  const go = (to: number) => {
    wished.current = isFocus ? to : undefined
    if (isFocus) return
    const next = hits.length === 0 ? -1 : (to + hits.length) % hits.length
    setAt(next)
    const hit = hits[next]
    if (!hit) return
    choices.setTarget(hit.target)
    view.take(() => view.port.center(hit.at, Math.max(view.port.view.scale, 0.9)))
  }
  const goOn = useEffectEvent(() => {
    if (wished.current !== undefined) go(wished.current)
  })
  useEffect(() => {
    if (!isFocus) goOn()
  }, [isFocus, placed])
  return (
    <label className={styles.search} data-filled={query === '' ? undefined : ''}>
      <Search size={13} aria-hidden />
      <input
        aria-label="Find states and events in the chart"
        placeholder="Find"
        spellCheck={false}
        autoComplete="off"
        value={query}
        onChange={event => {
          choices.setQuery(event.target.value)
          setAt(-1)
        }}
        onKeyDown={event => {
          if (event.key === 'Enter') go(event.shiftKey ? (at < 0 ? -1 : at - 1) : at + 1)
          else if (event.key === 'Escape' && query !== '') choices.setQuery('')
          else if (event.key === 'Escape') canvasBeside(event.currentTarget)?.focus()
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
      <span className={styles.hits} role="status">
        {found ? (hits.length === 0 ? 'none' : `${at < 0 ? '' : `${at + 1}/`}${hits.length}`) : ''}
      </span>
    </label>
  )
}

const canvasBeside = (field: Element) =>
  field.closest('[role=tabpanel]')?.querySelector<HTMLElement>('[data-chart-canvas]')

interface Hit {
  readonly target: ChartTarget
  readonly at: { readonly x: number; readonly y: number }
}

function hitsOf(found: NonNullable<ChartChoices['found']>, { boxes, edges }: PlacedChart): readonly Hit[] {
  const drawn = new Map(boxes.map(box => [box.state.path, box]))
  const paths = new Set(found.states.map(path => drawnPath(path, drawn)))
  const states = boxes.filter(({ state }) => paths.has(state.path))
  const names = new Set(found.transitions)
  const arrows = edges.filter(({ edge }) => edge.names.some(name => names.has(name)))
  return [
    ...states.map((box): Hit => ({
      target: { kind: 'state', path: box.state.path },
      at: { x: box.x + box.width / 2, y: box.y + Math.min(box.height, 60) / 2 },
    })),
    ...arrows.map(({ edge, label }): Hit => ({
      target: { kind: 'transitions', edge: edge.id, names: edge.names.filter(name => names.has(name)) },
      at: { x: label.x + label.width / 2, y: label.y + label.height / 2 },
    })),
  ]
}
