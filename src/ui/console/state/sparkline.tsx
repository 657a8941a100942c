// A number over time as a small step chart.
import styles from './pins.module.css'

const [WIDTH, HEIGHT, EDGE] = [84, 16, 2]

export interface SparklineProps {
  readonly points: readonly { readonly t: number; readonly value: number }[]
  /** End of the last value. */
  readonly until: number
}

/** Decorative: the value and its history are also available as text. */
export function Sparkline({ points, until }: SparklineProps) {
  return (
    <svg className={styles.spark} width={WIDTH} height={HEIGHT} aria-hidden>
      <path d={stepsPath(points, until)} />
    </svg>
  )
}

/** Returns the SVG path of the line: each value lasts until the next. */
export function stepsPath(points: SparklineProps['points'], until: number): string {
  const [first] = points
  if (!first) return ''
  const values = points.map(({ value }) => value)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const length = Math.max(1, until - first.t)
  const x = (t: number) => EDGE + ((t - first.t) / length) * (WIDTH - 2 * EDGE)
  const y = (value: number) =>
    high === low ? HEIGHT / 2 : HEIGHT - EDGE - ((value - low) / (high - low)) * (HEIGHT - 2 * EDGE)
  const steps = points.slice(1).map(({ t, value }) => `H${round(x(t))}V${round(y(value))}`)
  return `M${round(x(first.t))} ${round(y(first.value))}${steps.join('')}H${round(x(until))}`
}

const round = (at: number): number => Math.round(at * 10) / 10
