// What the user chose of a chart: how much is drawn, what is folded, searched and pointed at.
import { useCallback, useMemo, useState } from 'react'
import { statesOf } from '../../../trace/chart-states.ts'
import type { ChartState, MachineChart } from '../../../trace/format.ts'
import { search } from './chart-search.ts'
import type { ChartTarget } from './chart-shapes.tsx'
import type { Detail } from './chart-words.ts'

const NONE: ReadonlySet<string> = new Set()

/** The choices for a chart; another machine begins with its own. */
export function useChartChoices(chart: MachineChart) {
  const machine = `${chart.id}:${chart.hash}`
  const [own, setOwn] = useState<{ machine: string; folded: ReadonlySet<string>; target?: ChartTarget }>()
  const [detail, setDetail] = useState<Detail>('brief')
  const [isHeat, setHeat] = useState(false)
  const [isOutlined, setOutlined] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const [query, setQuery] = useState('')
  const mine = own?.machine === machine ? own : undefined
  const folded = mine?.folded ?? NONE
  const target = mine?.target
  const states = useMemo(() => statesOf(chart), [chart])
  const found = useMemo(
    () => (query.trim() === '' ? undefined : search(states, chart.id, query)),
    [states, chart, query],
  )

  const setFolded = useCallback(
    (next: ReadonlySet<string>) =>
      setOwn(was => ({ ...(was?.machine === machine ? was : {}), machine, folded: next })),
    [machine],
  )
  const setTarget = useCallback(
    (next: ChartTarget | undefined) =>
      setOwn(was => {
        const kept = was?.machine === machine ? was.folded : NONE
        return { machine, folded: kept, ...(next && { target: next }) }
      }),
    [machine],
  )
  const fold = (path: string) => {
    const next = new Set(folded)
    if (!next.delete(path)) next.add(path)
    setFolded(next)
  }
  const compounds = useMemo(() => [...states.values()].filter(isFoldable).map(({ path }) => path), [states])
  return {
    states,
    detail,
    setDetail,
    isHeat,
    setHeat,
    isOutlined,
    setOutlined,
    folded,
    fold,
    /** Folds all outermost states, or unfolds everything. */
    foldAll: (isFolded: boolean) => setFolded(isFolded ? new Set(compounds) : NONE),
    canFold: compounds.length > 0,
    target,
    setTarget,
    /** Whether the card of what is pointed at is open. */
    isOpen: isOpen && target !== undefined,
    setOpen,
    query,
    setQuery,
    found,
  }
}

export type ChartChoices = ReturnType<typeof useChartChoices>

/** Regions stay: without them a parallel state says nothing. */
const isFoldable = ({ path, states }: ChartState) => path !== '' && states.length > 0
