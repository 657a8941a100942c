// The layout of a chart as React state, in the direction that suits the pane.
import { createContext, useContext, useEffect, useEffectEvent, useState } from 'react'
import type { ChartState, MachineChart } from '../../../trace/format.ts'
import { messageOf } from '../text.ts'
import type { Direction } from './chart-graph.ts'
import type { PlacedChart } from './chart-layout.ts'
import type { Detail } from './chart-words.ts'
import { createLayoutService, type LayoutService } from './layout-service.ts'
import { fit, READABLE_SCALE, type Size } from './view-box.ts'

export { createLayoutService }

/** The console's layout service. */
export const LayoutContext = createContext<LayoutService | undefined>(undefined)

export type ChartLayoutState =
  | { readonly state: 'pending' }
  | {
      readonly state: 'placed'
      readonly placed: PlacedChart
      /** For which it was made. */
      readonly detail: Detail
      readonly folded: ReadonlySet<string>
    }
  | { readonly state: 'failed'; readonly message: string }

const PENDING: ChartLayoutState = { state: 'pending' }

interface Wanted {
  readonly chart: MachineChart
  readonly pane: Size
  readonly detail: Detail
  readonly folded: ReadonlySet<string>
}

/** Lays the chart out when its structure, its folds or its detail change; shows the last layout until then. */
export function useChartLayout(wanted: Wanted): ChartLayoutState {
  const { chart, pane, detail, folded } = wanted
  const service = useContext(LayoutContext)
  const machine = `${chart.id}:${chart.hash}`
  const key = [machine, detail, ...[...folded].sort()].join('\n')
  const tall = pane.height > pane.width * 0.5
  const measured = pane.width > 0
  const [result, setResult] = useState<{ machine: string; key: string; layout: ChartLayoutState }>()
  // The chart object of one structure may be another one after a new recording: its key decides.
  const place = useEffectEvent(async (by: LayoutService): Promise<ChartLayoutState> => {
    return { state: 'placed', placed: await suitable(by, wanted), detail, folded }
  })
  useEffect(() => {
    if (!service || !measured) return
    let isWanted = true
    const settle = (layout: ChartLayoutState) => isWanted && setResult({ machine, key, layout })
    place(service).then(settle, (error: unknown) => settle({ state: 'failed', message: messageOf(error) }))
    return () => {
      isWanted = false
    }
  }, [service, machine, key, measured, tall])
  return result?.machine === machine ? result.layout : PENDING
}

/** Across, as one reads, where that shows the whole chart readably; else the way that shows more of it. */
async function suitable(service: LayoutService, { pane, ...wanted }: Wanted): Promise<PlacedChart> {
  const layout = (direction: Direction) => service.layout({ ...wanted, direction })
  if (isLarge(wanted.chart.root)) return layout(pane.height > pane.width ? 'DOWN' : 'RIGHT')
  const across = await layout('RIGHT')
  const scale = fit(across, pane).scale
  if (scale >= READABLE_SCALE) return across
  const down = await layout('DOWN')
  return fit(down, pane).scale > scale ? down : across
}

const LARGE = 120

/** Such a chart is never shown whole readably, and takes seconds to lay out. */
function isLarge(root: ChartState): boolean {
  const inside = (state: ChartState): number =>
    state.states.reduce((sum, child) => sum + 1 + inside(child), 0)
  return inside(root) > LARGE
}
