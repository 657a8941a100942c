// Connects the chart to the controlled system: timers count down and events can be sent.
import { useEffect, useMemo, useRef } from 'react'
import type { ChartDriver } from '../chart/chart-driver.ts'
import { ChartSend } from './chart-send.tsx'
import type { DrivePlace } from './drive-panel.tsx'
import type { Drive } from './use-drive.ts'

const NOBODY: ChartDriver = {}

/**
 * Returns the same driver while the same system is controlled, because rerendering the chart is expensive.
 */
export function useChartDriver(
  drive: Drive | undefined,
  place: DrivePlace,
  isLive: boolean,
  goTo: (state: string) => void,
): ChartDriver {
  const latest = useRef({ drive, place, goTo })
  useEffect(() => {
    latest.current = { drive, place, goTo }
  })
  const control = drive?.control
  return useMemo(() => {
    if (!control || !isLive) return NOBODY
    const left = (number: number) => control.timers().find(timer => timer.number === number)?.left ?? 0
    return {
      timers: actor =>
        control
          .timers()
          .filter(timer => timer.actor === actor)
          .map(({ number, event: { type } }) => ({ type, left: () => left(number) })),
      onGo: (_actor, state) => latest.current.goTo(state),
      renderSend(props) {
        const now = latest.current
        return now.drive ? <ChartSend {...props} drive={now.drive} place={now.place} /> : null
      },
    }
  }, [control, isLive])
}
