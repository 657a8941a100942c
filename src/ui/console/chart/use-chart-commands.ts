// What can be done with the chart, offered to the palette and to keys; and the keys that it takes by itself.
import { useMemo } from 'react'
import { useCommands, useKeyNotes, type ConsoleCommand, type KeyNote } from '../commands/use-commands.ts'
import type { ChartChoices } from './use-chart-choices.ts'
import type { View } from './use-view-port.ts'

interface Wanted {
  readonly choices: ChartChoices
  readonly view: View
  /** Whether only what is around the active states is drawn. */
  readonly isFocus: boolean
}

const note = (keys: readonly string[], text: string): KeyNote => ({
  id: `chart.${text}`,
  section: 'View',
  keys,
  text,
})

const NOTES: readonly KeyNote[] = [
  note(['←', '→', '↑', '↓'], 'In the chart: to the next state'),
  note(['Page Up', 'Page Down'], 'In the chart: out of a state, and into it'),
  note(['Enter'], 'In the chart: what there is to know of a state, and its events to send'),
  note(['C'], 'In the chart: fold a state, or unfold it'),
  note(['+', '-'], 'In the chart: nearer, and further away'),
]

/** For as long as the chart is shown. */
export function useChartCommands({ choices, view, isFocus }: Wanted): void {
  const { detail, isHeat, isOutlined } = choices
  const isFull = detail === 'full'
  const { following } = view
  const commands = useMemo(
    (): readonly ConsoleCommand[] => [
      {
        id: 'chart.whole',
        title: isFocus ? 'Draw the whole chart' : 'Draw what is around the active states',
        section: 'View',
        keys: ['O'],
        words: 'chart focus statechart overview',
        run: () => choices.set({ mode: isFocus ? 'whole' : 'focus' }),
      },
      {
        id: 'chart.follow',
        title: 'Follow the active states in the chart',
        section: 'View',
        ...(following && { disabled: 'The chart follows them' }),
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
        title: isFull
          ? 'Draw states and arrows briefly'
          : 'Draw guards, actions, tags and words in the chart',
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
        title: 'Draw the chart in its actual size',
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
