// What is left of a delay, counted down on its arrow without rendering anything else.
import { useEffect, useRef } from 'react'
import styles from './chart.module.css'

/** A timer that runs at the moment that is shown. */
export interface RunningTimer {
  /** Name of the transition that it sets off, `path#n`. */
  readonly name: string
  /** Milliseconds that are left, asked again and again while the timer is live. */
  readonly left: () => number
  /** Whether time goes on. */
  readonly isLive: boolean
}

const EVERY_MS = 100

/** ` · 4.2 s`, as long as it runs. */
export function Countdown({ timer: { left, isLive } }: { readonly timer: RunningTimer }) {
  const text = useRef<SVGTSpanElement>(null)
  useEffect(() => {
    const write = () => {
      if (text.current) text.current.textContent = leftText(left())
    }
    write()
    if (!isLive) return
    const timer = setInterval(write, EVERY_MS)
    return () => clearInterval(timer)
  }, [left, isLive])
  return <tspan ref={text} className={styles.countdown} />
}

/** ` · 4.2 s`, ` · 3:07`, ` · due`. */
export function leftText(ms: number): string {
  if (ms <= 0) return ' · due'
  if (ms < 60_000) return ` · ${(ms / 1000).toFixed(1)} s`
  const seconds = Math.floor(ms / 1000)
  return ` · ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
