// The user's choices for a chart: detail, folds, search and hover.
import { useMemo, useState } from 'react'
import { type ChartState, type MachineChart, statesOf } from '../../../trace/index.ts'
import { useConsole } from '../use-console.ts'
import { readMode, writeMode, type ChartMode } from './chart-mode.ts'
import { search } from './chart-search.ts'
import type { ChartTarget } from './chart-shapes.tsx'

/**
 * Returns the choices for a chart: how it is drawn is part of the place, the rest resets with another
 * machine.
 */
export function useChartChoices(chart: MachineChart) {
  const machine = `${chart.id}:${chart.hash}`
  const { place, go } = useConsole()
  const [own, setOwn] = useState<{ machine: string; target: ChartTarget | undefined }>()
  const [isOutlined, setOutlined] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const [query, setQuery] = useState('')
  const text = place.layout.chart
  const states = useMemo(() => statesOf(chart), [chart])
  const drawn = useMemo((): ChartMode => {
    const all = readMode(text)
    // Folds of other machines do not apply.
    return { ...all, folded: new Set([...all.folded].filter(path => states.has(path))) }
  }, [text, states])
  const set = (change: Partial<ChartMode>) =>
    go({ type: 'layout', layout: { chart: writeMode({ ...drawn, ...change }) } })
  const { folded } = drawn
  const target = own?.machine === machine ? own.target : undefined
  const found = useMemo(
    () => (query.trim() === '' ? undefined : search(states, chart.id, query)),
    [states, chart, query],
  )

  const fold = (path: string) => {
    const next = new Set(folded)
    if (!next.delete(path)) next.add(path)
    set({ folded: next })
  }

  const compounds = useMemo(() => [...states.values()].filter(isFoldable).map(({ path }) => path), [states])
  return {
    states,
    ...drawn,
    set,
    isOutlined,
    setOutlined,
    fold,
    /** Folds all outermost states, or unfolds everything. */
    foldAll: (isFolded: boolean) => set({ folded: new Set(isFolded ? compounds : []) }),
    canFold: compounds.length > 0,
    target,
    setTarget: (next: ChartTarget | undefined) => setOwn({ machine, target: next }),
    /** Whether the card of the hovered element is open. */
    isOpen: isOpen && target !== undefined,
    setOpen,
    query,
    setQuery,
    found,
  }
}

export type ChartChoices = ReturnType<typeof useChartChoices>

/** Regions stay: a parallel state is meaningless without them. */
const isFoldable = ({ path, states }: ChartState) => path !== '' && states.length > 0
