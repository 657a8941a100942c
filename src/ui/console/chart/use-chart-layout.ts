// The layout of a chart as React state; the engine comes with the first chart that needs it.
import { createContext, useContext, useEffect, useEffectEvent, useState } from 'react'
import type { MachineChart } from '../../../trace/format.ts'
import type { Direction } from './chart-graph.ts'
import type { PlacedChart } from './chart-layout.ts'
import { messageOf } from '../text.ts'
import { fit, READABLE_SCALE, type Size } from './view-box.ts'

/** Gives layouts; made once per console and ended with it. */
export interface LayoutService {
  layout(chart: MachineChart, direction: Direction): Promise<PlacedChart>
  dispose(): void
}

/** A service that loads the layout engine when first asked. */
export function createLayoutService(family: string): LayoutService {
  const start = () => import('./elk-engine.ts').then(module => module.createChartEngine(family))
  let engine: ReturnType<typeof start> | undefined
  return {
    layout: async (chart, direction) => {
      engine ??= start()
      return (await engine).layout(chart, direction)
    },
    dispose: () => {
      engine?.then(
        running => running.dispose(),
        () => undefined,
      )
      engine = undefined
    },
  }
}

/** The console's layout service. */
export const LayoutContext = createContext<LayoutService | undefined>(undefined)

export type ChartLayoutState =
  | { readonly state: 'pending' }
  | { readonly state: 'placed'; readonly placed: PlacedChart }
  | { readonly state: 'failed'; readonly message: string }

const PENDING: ChartLayoutState = { state: 'pending' }

/** Lays the chart out when its structure changes, in the direction that suits the pane. */
export function useChartLayout(chart: MachineChart, pane: Size): ChartLayoutState {
  const service = useContext(LayoutContext)
  const key = `${chart.id}:${chart.hash}`
  const tall = pane.height > pane.width * 0.5
  const measured = pane.width > 0
  const [result, setResult] = useState<{ key: string; layout: ChartLayoutState }>()
  // The chart object of one structure may be another one after a new recording: its key decides.
  const place = useEffectEvent((by: LayoutService) => suitable(by, chart, pane))
  useEffect(() => {
    if (!service || !measured) return
    let wanted = true
    const settle = (layout: ChartLayoutState) => wanted && setResult({ key, layout })
    place(service).then(
      placed => settle({ state: 'placed', placed }),
      (error: unknown) => settle({ state: 'failed', message: messageOf(error) }),
    )
    return () => {
      wanted = false
    }
  }, [service, key, measured, tall])
  return result?.key === key ? result.layout : PENDING
}

/** Across, as one reads, where that shows the whole chart readably; else the way that shows more of it. */
async function suitable(service: LayoutService, chart: MachineChart, pane: Size): Promise<PlacedChart> {
  const across = await service.layout(chart, 'RIGHT')
  const scale = fit(across, pane).scale
  if (scale >= READABLE_SCALE) return across
  const down = await service.layout(chart, 'DOWN')
  return fit(down, pane).scale > scale ? down : across
}
