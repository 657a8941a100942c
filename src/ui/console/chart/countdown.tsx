// What is left of a delay, counted down on its arrow without rendering anything else.
import { createContext, useContext, useEffect, useRef } from 'react'
import styles from './chart.module.css'

/** A timer that runs at the moment that is shown. */
export interface RunningTimer {
  /** Name of the transition that it sets off, `path#n`. */
  readonly name: string
  /** When it fires, in milliseconds since the recording began. */
  readonly due: number
}

/** The time on the recording's clock, and whether it goes on. */
export interface ChartClock {
  now(): number
  readonly isRunning: boolean
}

/** The clock by which timers count down. */
export const ClockContext = createContext<ChartClock>({ now: () => 0, isRunning: false })

const EVERY_MS = 100

/** ` · 4.2 s`, as long as it runs. */
export function Countdown({ timer: { due } }: { readonly timer: RunningTimer }) {
  const clock = useContext(ClockContext)
  const text = useRef<SVGTSpanElement>(null)
  useEffect(() => {
    const write = () => {
      if (text.current) text.current.textContent = leftText(due - clock.now())
    }
    write()
    if (!clock.isRunning) return
    const timer = setInterval(write, EVERY_MS)
    return () => clearInterval(timer)
  }, [due, clock])
  return <tspan ref={text} className={styles.countdown} />
}

/** ` · 4.2 s`, ` · 3:07`, ` · due`. */
export function leftText(ms: number): string {
  if (ms <= 0) return ' · due'
  if (ms < 60_000) return ` · ${(ms / 1000).toFixed(1)} s`
  const seconds = Math.floor(ms / 1000)
  return ` · ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
