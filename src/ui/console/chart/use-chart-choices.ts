// The user's choices for a chart: mode and detail with their text for the URL, folds, search and hover.
import { useMemo, useState } from 'react'
import {
  type ChartState,
  type MachineChart,
  statesOf,
  type ChartTransition,
  namedTransitions,
} from '../../../trace/index.ts'
import { useConsole } from '../use-console.ts'
import type { ChartTarget } from './chart-shapes.tsx'
import type { Detail } from './chart-text.ts'

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

/** Search results, in chart order. */
interface SearchResult {
  readonly states: readonly string[]
  /** Names of transitions. */
  readonly transitions: readonly string[]
}

/** Finds states and transitions whose text contains all words of the query. */
export function search(
  states: ReadonlyMap<string, ChartState>,
  machine: string,
  query: string,
): SearchResult {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (texts: readonly string[]) => {
    const text = texts.join('\n').toLowerCase()
    return wanted.every(word => text.includes(word))
  }
  const all = [...states.values()]
  return {
    states: all.filter(state => state.path !== '' && fits(wordsOfState(state))).map(({ path }) => path),
    transitions: all
      .flatMap(state => namedTransitions(machine, state))
      .filter(transition => fits(wordsOfTransition(transition)))
      .map(({ name }) => name),
  }
}

const wordsOfState = ({ key, description = '', entry, exit, invoke, tags }: ChartState) => [
  key,
  description,
  ...entry,
  ...exit,
  ...invoke.map(({ src }) => src),
  ...tags,
]

const wordsOfTransition = ({ event, guard = '', actions, description = '' }: ChartTransition) => [
  event,
  guard,
  description,
  ...actions,
]

/** Around the active states, the whole machine, or whichever fits the pane. */
const MODES = ['auto', 'focus', 'whole'] as const
export type Mode = (typeof MODES)[number]

interface ChartMode {
  readonly mode: Mode
  readonly detail: Detail
  /** Whether visit counts are compared. */
  readonly isHeat: boolean
  /** Paths of states drawn without their children; in focus mode, states that are unfolded. */
  readonly folded: ReadonlySet<string>
}

export const START_MODE: ChartMode = { mode: 'auto', detail: 'brief', isHeat: false, folded: new Set() }

/** Writes `whole,full,heat,-path,-path`; '' for the defaults. */
export function writeMode({ mode, detail, isHeat, folded }: ChartMode): string {
  return [
    ...(mode === 'auto' ? [] : [mode]),
    ...(detail === 'full' ? ['full'] : []),
    ...(isHeat ? ['heat'] : []),
    ...[...folded].sort().map(path => `-${path}`),
  ].join(',')
}

/** Parses the text of `writeMode`; unknown words are ignored. */
export function readMode(text: string): ChartMode {
  const words = text.split(',').filter(Boolean)
  return {
    mode: MODES.find(mode => mode !== 'auto' && words.includes(mode)) ?? 'auto',
    detail: words.includes('full') ? 'full' : 'brief',
    isHeat: words.includes('heat'),
    folded: new Set(words.flatMap(word => (word.startsWith('-') ? [word.slice(1)] : []))),
  }
}
