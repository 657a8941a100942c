// State names shown over a chart that is zoomed far out.
import { memo, useMemo, useSyncExternalStore } from 'react'
import { cx } from '../../widgets/cx.ts'
import type { ChartActivity } from './chart-activity.ts'
import { FONT_SIZES } from './chart-graph.ts'
import { canvasMeasure, CHART_FONT } from './chart-measure.ts'
import styles from './chart.module.css'
import { farNames, farScale, NAME_SIZE } from './far-names.ts'
import type { PlacedChart } from './placed-chart.ts'
import type { ViewPort } from './view-port.ts'

export interface FarLayerProps {
  readonly placed: PlacedChart
  readonly port: ViewPort
  readonly activity: ChartActivity
}

/** Rerenders only when the scale needs other names, not with each zoom. */
export const FarLayer = memo(function FarLayer({ placed, port, activity }: FarLayerProps) {
  const scale = useSyncExternalStore(port.subscribe, () => farScale(port.view.scale))
  const widthOf = useMemo(() => {
    const measure = canvasMeasure(CHART_FONT)
    return (text: string) => (measure(text, 'state') * NAME_SIZE) / FONT_SIZES.state
  }, [])
  const { active } = activity
  const names = useMemo(
    () => (scale === undefined ? [] : farNames(placed.boxes, { scale, active, widthOf })),
    [placed, scale, active, widthOf],
  )
  if (scale === undefined) return null
  return (
    <g aria-hidden className={styles.farNames} fontSize={NAME_SIZE / scale} strokeWidth={4 / scale}>
      {names.map(({ path, text, x, y }) => (
        <text
          key={path}
          className={cx(styles.farName, active.has(path) && styles.farActive)}
          x={x}
          y={y + (NAME_SIZE * 0.36) / scale}
        >
          {text}
        </text>
      ))}
    </g>
  )
})
