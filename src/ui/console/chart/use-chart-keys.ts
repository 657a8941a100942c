// Keys and commands of the chart: moving between states, opening cards, folding, panning and zooming.
import { useEffect, useEffectEvent, useRef, type KeyboardEvent, useMemo } from 'react'
import { plural } from '../text.ts'
import type { Point, Box } from './chart-geometry.ts'
import type { MachineChart } from '../../../trace/index.ts'
import type { ChartActivity } from './chart-activity.ts'
import type { Counts } from './chart-counts.ts'
import { containerOf, drawnPath } from './chart-parts.ts'
import type { PlacedLayout } from './use-chart-layout.ts'
import type { View } from './use-view-port.ts'
import type { PlacedChart } from './placed-chart.ts'
import { useCommands, useKeyNotes, type ConsoleCommand, type KeyNote } from '../commands/use-commands.ts'
import type { ChartChoices } from './use-chart-choices.ts'

const HEADINGS: Readonly<Record<string, Heading>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}
const STEP = 60
const PANS: Readonly<Record<Heading, Point>> = {
  left: { x: STEP, y: 0 },
  right: { x: -STEP, y: 0 },
  up: { x: 0, y: STEP },
  down: { x: 0, y: -STEP },
}
const ZOOMS: Readonly<Record<string, number>> = { '+': 1.25, '=': 1.25, '-': 0.8 }

interface ChartKeysOptions {
  readonly chart: MachineChart
  readonly layout: PlacedLayout
  readonly activity: ChartActivity
  readonly counts: Counts
  readonly choices: ChartChoices
  readonly view: View
  readonly announce: (text: string) => void
}

/** Handles keys on the chart's canvas and centers a state. */
export function useChartKeys(wanted: ChartKeysOptions) {
  const { layout, view, choices, activity, chart } = wanted
  const { placed } = layout
  const drawn = new Map(placed.boxes.map(box => [box.state.path, box]))
  const at = choices.target?.kind === 'state' ? choices.target.path : undefined
  const here = () => at ?? [...activity.entered][0] ?? [...activity.active].at(-1) ?? ''

  const go = (path: string) => {
    choices.setTarget({ kind: 'state', path })
    wanted.announce(spokenState(path, wanted))
    show(path)
  }
  const show = (path: string) => {
    const box = drawn.get(drawnPath(path, drawn))
    if (!box) return
    const middle = { x: box.x + Math.min(box.width, 200) / 2, y: box.y + Math.min(box.height, 80) / 2 }
    const { visible } = view.port
    const isSeen =
      box.x >= visible.x &&
      box.y >= visible.y &&
      box.x + Math.min(box.width, 200) <= visible.x + visible.width &&
      box.y + Math.min(box.height, 80) <= visible.y + visible.height
    if (!isSeen) view.take(() => view.port.center(middle))
  }
  const center = (path: string) => {
    go(path)
    if (layout.isFocus && !drawn.has(path)) {
      wished.current = path
      return choices.set({ mode: 'whole' })
    }
    const box = drawn.get(drawnPath(path, drawn))
    if (!box) return
    const scale = Math.max(view.port.view.scale, 0.9)
    view.take(() => view.port.center({ x: box.x + box.width / 2, y: box.y + box.height / 2 }, scale))
  }
  const wished = useRef<string>(undefined)
  const bring = useEffectEvent(() => {
    const path = wished.current
    wished.current = undefined
    if (path !== undefined) center(path)
  })
  useEffect(() => {
    if (!layout.isFocus) bring()
  }, [layout])
  /** In focus mode, inactive states are folded. */
  const fold = (path: string) =>
    layout.isFocus && !activity.active.has(path) ? choices.set({ mode: 'whole' }) : choices.fold(path)
  const first = () => chart.root.states[0]?.path ?? ''
  const actions: Readonly<Record<string, () => void>> = {
    Enter: () => {
      if (at === undefined) go(drawnPath(here(), drawn))
      choices.setOpen(true)
    },
    Escape: () => (choices.query === '' ? choices.setTarget(undefined) : choices.setQuery('')),
    Home: () => go(drawnPath([...activity.entered][0] ?? [...activity.active].at(-1) ?? first(), drawn)),
    PageUp: () => go(containerOf(here()) || here()),
    PageDown: () => go(choices.states.get(here())?.states[0]?.path ?? here()),
    c: () => {
      const path = here()
      if ((choices.states.get(path)?.states.length ?? 0) > 0) fold(path)
    },
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    const heading = HEADINGS[event.key]
    const factor = ZOOMS[event.key]
    const action = actions[event.key]
    if (heading && event.shiftKey) view.take(() => view.port.move(PANS[heading]))
    else if (heading) go(at === undefined ? drawnPath(here(), drawn) : nextState(placed, at, heading))
    else if (factor !== undefined) view.take(() => view.port.zoom(factor))
    else if (action) action()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return { onKeyDown, center, fold }
}

/** `refreshing, active, entered 3 times`. */
function spokenState(path: string, { activity, counts, choices }: ChartKeysOptions): string {
  const visits = counts.states.get(path) ?? 0
  const state = choices.states.get(path)
  return [
    path,
    ...(activity.active.has(path) ? ['active'] : []),
    ...(state?.type === 'final' || state?.type === 'history' ? [state.type] : []),
    visits === 0 ? 'never entered' : `entered ${plural(visits, 'time')}`,
  ].join(', ')
}

/** A direction on the screen. */
type Heading = 'left' | 'right' | 'up' | 'down'

/** How much more sideways distance counts than distance ahead. */
const ASIDE = 2.5

/**
 * Returns the path of the next state in a direction; the same path if there is none. Moving from a parent
 * enters its children only by its near edge, so that all can be reached.
 */
export function nextState({ boxes }: PlacedChart, from: string, heading: Heading): string {
  const start = boxes.find(({ state }) => state.path === from)
  if (!start) return boxes.find(({ isRoot }) => !isRoot)?.state.path ?? from
  const others = boxes.filter(box => box !== start && !box.isRoot)
  const reached = others.flatMap(box => {
    const cost = costOf(start, box, heading)
    return cost === undefined ? [] : [{ path: box.state.path, cost }]
  })
  return reached.toSorted((a, b) => a.cost - b.cost)[0]?.path ?? from
}

function costOf(from: Box, to: Box, heading: Heading): number | undefined {
  const [a, b] = [anchor(from), anchor(to)]
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const ahead = { left: -dx, right: dx, up: -dy, down: dy }[heading]
  const aside = Math.abs(heading === 'left' || heading === 'right' ? dy : dx)
  return ahead > 0 ? ahead + aside * ASIDE : undefined
}

/** A state's position is its name's: near its upper left corner, whatever it contains. */
const anchor = ({ x, y, width }: Box): Point => ({ x: x + Math.min(width / 2, 40), y: y + 16 })

interface ChartCommandsOptions extends Pick<ChartKeysOptions, 'choices' | 'view'> {
  /** Whether only the surroundings of the active states are drawn. */
  readonly isFocus: boolean
}

const note = (keys: readonly string[], text: string): KeyNote => ({
  id: `chart.${text}`,
  section: 'View',
  keys,
  text,
})

const NOTES: readonly KeyNote[] = [
  note(['←', '→', '↑', '↓'], 'In the chart: next state'),
  note(['Page Up', 'Page Down'], 'In the chart: to the parent or into a state'),
  note(['Enter'], 'In the chart: state details and sendable events'),
  note(['C'], 'In the chart: fold or unfold a state'),
  note(['+', '-'], 'In the chart: zoom in or out'),
]

/** Registered while the chart is shown. */
export function useChartCommands({ choices, view, isFocus }: ChartCommandsOptions): void {
  const { detail, isHeat, isOutlined } = choices
  const isFull = detail === 'full'
  const { following } = view
  const commands = useMemo(
    (): readonly ConsoleCommand[] => [
      {
        id: 'chart.whole',
        title: isFocus ? 'Draw the whole chart' : 'Draw around the active states',
        section: 'View',
        keys: ['O'],
        words: 'chart focus statechart overview',
        run: () => choices.set({ mode: isFocus ? 'whole' : 'focus' }),
      },
      {
        id: 'chart.follow',
        title: 'Follow the active states in the chart',
        section: 'View',
        ...(following && { disabled: 'The chart already follows them' }),
        run: view.follow,
      },
      {
        id: 'chart.heat',
        title: isHeat ? 'Show the chart without coverage' : 'Show coverage in the chart',
        section: 'View',
        words: 'visits heat',
        run: () => choices.set({ isHeat: !isHeat }),
      },
      {
        id: 'chart.detail',
        title: isFull ? 'Show brief states and arrows' : 'Show guards, actions, tags and descriptions',
        section: 'View',
        run: () => choices.set({ detail: isFull ? 'brief' : 'full' }),
      },
      {
        id: 'chart.outline',
        title: isOutlined ? 'Hide the outline of the states' : 'Show the outline of the states',
        section: 'View',
        words: 'chart tree',
        run: () => choices.setOutlined(!isOutlined),
      },
      {
        id: 'chart.actual',
        title: 'Show the chart at actual size',
        section: 'View',
        words: '100 % zoom',
        run: () => view.take(() => view.port.zoom(1 / view.port.view.scale)),
      },
    ],
    [choices, view, isFocus, isFull, isHeat, isOutlined, following],
  )
  useCommands(commands)
  useKeyNotes(NOTES)
}
