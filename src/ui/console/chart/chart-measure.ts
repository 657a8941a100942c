// Measures the chart's text: on a canvas, or by a table with upper bounds for common fonts.
import { FONT_SIZES, type Measure } from './chart-graph.ts'

const WEIGHTS = { state: 600, detail: 400, edge: 500 } as const

/** Fonts of the chart's text. */
export const CHART_FONT = 'Inter, ui-sans-serif, system-ui, sans-serif'

/** Measures with the fonts the chart is drawn in. */
export function canvasMeasure(family: string): Measure {
  const context = document.createElement('canvas').getContext('2d')
  return (text, kind) => {
    if (!context) return tableMeasure(text, kind)
    context.font = `${WEIGHTS[kind]} ${FONT_SIZES[kind]}px ${family}`
    return context.measureText(text).width
  }
}

/**
 * Widths of a wide sans serif in thousandths of the font size: narrow letters, wide ones, the rest by case.
 */
const NARROW = new Set("iIjlfrt.,:;'|!()[]/ -")
const WIDE = new Set('mwMWQO@%…→')
const BOLD = 1.09

/** The same on every machine; used for precomputed layouts. */
export const tableMeasure: Measure = (text, kind) => {
  let width = 0
  for (const letter of text) width += letterWidth(letter)
  return (width / 1000) * FONT_SIZES[kind] * (kind === 'state' ? BOLD : 1)
}

function letterWidth(letter: string): number {
  if (NARROW.has(letter)) return 415
  if (WIDE.has(letter)) return 980
  return letter >= 'A' && letter <= 'Z' ? 735 : 640
}
