// The time left of a delay, counted down on its arrow without rerendering anything else.
import { useEffect, useRef } from 'react'
import { useInterval } from '../../widgets/time.ts'
import styles from './chart.module.css'

/** A timer that is running at the shown moment. */
export interface RunningTimer {
  /** Name of the transition it triggers, `path#n`. */
  readonly name: string
  /** Returns the milliseconds left; called repeatedly while the timer is live. */
  readonly left: () => number
  /** Whether time is running. */
  readonly isLive: boolean
}

const EVERY_MS = 100

/** Shows ` · 4.2 s` while the timer runs. */
export function Countdown({ timer: { left, isLive } }: { readonly timer: RunningTimer }) {
  const text = useRef<SVGTSpanElement>(null)
  const write = () => {
    if (text.current) text.current.textContent = leftText(left())
  }
  useEffect(write)
  useInterval(write, isLive ? EVERY_MS : undefined)
  return <tspan ref={text} className={styles.countdown} />
}

/** Formats ` · 4.2 s`, ` · 3:07`, ` · due`. */
export function leftText(ms: number): string {
  if (ms <= 0) return ' · due'
  if (ms < 60_000) return ` · ${(ms / 1000).toFixed(1)} s`
  const seconds = Math.floor(ms / 1000)
  return ` · ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
