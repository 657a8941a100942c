// Two plots of the last minute: throughput and latency of a topic.
import { useEffect, useRef } from 'react'
import { useNow } from '../hooks.ts'
import { figuresOf, type Meters, WINDOW_S } from '../../../services/workbench/realtime/index.ts'
import styles from './realtime.module.css'
import { formatMs } from '../../../services/workbench/text/index.ts'

type Draw = (context: CanvasRenderingContext2D, width: number, height: number) => void

/** A canvas at the device resolution, with colors from its own style. */
function useDrawing(draw: Draw) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (!element || !context) return
    const { clientWidth: width, clientHeight: height } = element
    const ratio = devicePixelRatio
    element.width = Math.round(width * ratio)
    element.height = Math.round(height * ratio)
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, width, height)
    draw(context, width, height)
  })
  return canvas
}

const colorOf = (element: HTMLCanvasElement, name: 'color' | 'borderTopColor'): string =>
  getComputedStyle(element)[name]

interface PlotsProps {
  readonly meters: Meters
  /** Changes with each message, so that plots update immediately. */
  readonly version: number
}

export function Plots({ meters }: PlotsProps) {
  const now = useNow()
  const figures = figuresOf(meters, now)
  const rate = (value: number) => value.toFixed(value < 10 ? 1 : 0)
  return (
    <div className={styles.plots}>
      <figure className={styles.plot}>
        <figcaption>
          Messages/s <b>↓ {rate(figures.in)}</b> <b>↑ {rate(figures.out)}</b>
          <span className={styles.faint}> peak {figures.peak}</span>
        </figcaption>
        <Throughput
          meters={meters}
          now={now}
          label={`Last minute: ${rate(figures.in)} received and ${rate(figures.out)} sent per second, at most ${figures.peak}`}
        />
      </figure>
      <figure className={styles.plot}>
        <figcaption>
          Latency <b>{figures.median === undefined ? '–' : formatMs(figures.median)}</b>
          <span className={styles.faint}>
            {figures.worst === undefined ? ' none acknowledged yet' : ` worst ${formatMs(figures.worst)}`}
          </span>
        </figcaption>
        <Latencies
          meters={meters}
          now={now}
          label={
            figures.median === undefined
              ? 'No message was acknowledged in the last minute'
              : `Last minute: median acknowledgment ${formatMs(figures.median)}, maximum ${formatMs(figures.worst ?? 0)}`
          }
        />
      </figure>
    </div>
  )
}

interface PlotProps {
  readonly meters: Meters
  readonly now: number
  readonly label: string
}

/** Received messages above the center line, sent ones below. */
function Throughput({ meters, now, label }: PlotProps) {
  const canvas = useDrawing((context, width, height) => {
    const element = context.canvas
    const seconds = meters.seconds(now)
    const most = Math.max(1, ...seconds.map(second => Math.max(second.in, second.out)))
    const [step, middle] = [width / WINDOW_S, height / 2]
    const bars = (of: 'in' | 'out', color: string, sign: 1 | -1) => {
      context.fillStyle = color
      for (const [n, second] of seconds.entries()) {
        const size = second[of] === 0 ? 0 : Math.max(1.5, (second[of] / most) * (middle - 2))
        context.fillRect(n * step, sign > 0 ? middle - size : middle, Math.max(1, step - 1), size)
      }
    }
    bars('in', colorOf(element, 'color'), 1)
    bars('out', colorOf(element, 'borderTopColor'), -1)
    context.fillStyle = colorOf(element, 'color')
    context.globalAlpha = 0.35
    context.fillRect(0, middle - 0.5, width, 1)
    context.globalAlpha = 1
  })
  return <canvas ref={canvas} role="img" aria-label={label} className={styles.throughput} />
}

/** A point each: acknowledged messages filled, row changes hollow. */
function Latencies({ meters, now, label }: PlotProps) {
  const canvas = useDrawing((context, width, height) => {
    const element = context.canvas
    const points = meters.latencies(now)
    const most = Math.max(20, ...points.map(({ ms }) => ms))
    context.fillStyle = context.strokeStyle = colorOf(element, 'color')
    context.globalAlpha = 0.35
    context.fillRect(0, height - 1, width, 1)
    context.globalAlpha = 1
    for (const { at, ms, of } of points) {
      const x = width - ((now + 1_000 - at) / (WINDOW_S * 1000)) * width
      const y = height - 3 - (ms / most) * (height - 7)
      context.beginPath()
      context.arc(Math.min(width - 2.5, x), y, 2, 0, 2 * Math.PI)
      if (of === 'ack') context.fill()
      else context.stroke()
    }
  })
  return <canvas ref={canvas} role="img" aria-label={label} className={styles.latencies} />
}
