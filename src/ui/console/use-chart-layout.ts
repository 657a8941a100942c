// The layout of a chart as React state; the engine comes with the first chart that needs it.
import { createContext, useContext, useEffect, useState } from 'react'
import type { MachineChart } from '../../trace/format.ts'
import type { PlacedChart } from './chart-layout.ts'
import { messageOf } from './text.ts'

/** Gives layouts; made once per console and ended with it. */
export interface LayoutService {
  layout(chart: MachineChart): Promise<PlacedChart>
  dispose(): void
}

/** A service that loads the layout engine when first asked. */
export function createLayoutService(family: string): LayoutService {
  const start = () => import('./elk-engine.ts').then(module => module.createChartEngine(family))
  let engine: ReturnType<typeof start> | undefined
  return {
    layout: async chart => {
      engine ??= start()
      return (await engine).layout(chart)
    },
    dispose: () => void engine?.then(running => running.dispose()),
  }
}

/** The console's layout service. */
export const LayoutContext = createContext<LayoutService | undefined>(undefined)

export type ChartLayoutState =
  | { readonly state: 'pending' }
  | { readonly state: 'placed'; readonly placed: PlacedChart }
  | { readonly state: 'failed'; readonly message: string }

const PENDING: ChartLayoutState = { state: 'pending' }

/** Lays the chart out anew only when its structure changes. */
export function useChartLayout(chart: MachineChart): ChartLayoutState {
  const service = useContext(LayoutContext)
  const key = `${chart.id}:${chart.hash}`
  const [result, setResult] = useState<{ key: string; layout: ChartLayoutState }>()
  useEffect(() => {
    let wanted = true
    const settle = (layout: ChartLayoutState) => wanted && setResult({ key, layout })
    service?.layout(chart).then(
      placed => settle({ state: 'placed', placed }),
      (error: unknown) => settle({ state: 'failed', message: messageOf(error) }),
    )
    return () => {
      wanted = false
    }
    // The chart object of one structure may be another one after a new recording: its key decides.
  }, [service, key])
  return result?.key === key ? result.layout : PENDING
}
