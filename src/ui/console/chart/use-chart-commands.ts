// Chart commands for the palette and shortcuts, and the keys that the chart handles itself.
import { useMemo } from 'react'
import { useCommands, useKeyNotes } from '../commands/use-commands.ts'
import type { ConsoleCommand, KeyNote } from '../commands/command.ts'
import type { ChartChoices } from './use-chart-choices.ts'
import type { View } from './use-view-port.ts'

interface Wanted {
  readonly choices: ChartChoices
  readonly view: View
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
export function useChartCommands({ choices, view, isFocus }: Wanted): void {
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
