// Draws a machine's chart as a standalone SVG for light and dark mode.
import ELK from 'elkjs/lib/elk.bundled.js'
import type { MachineChart } from '../../src/trace/format/chart.ts'
import {
  FIRST_ROW,
  HISTORY,
  LINE,
  NAME_MIDDLE,
  type Direction,
  type Measure,
} from '../../src/ui/console/chart/chart-graph.ts'
import { layoutChart } from '../../src/ui/console/chart/chart-layout.ts'
import { chartParts, type ChartParts } from '../../src/ui/console/chart/chart-parts.ts'
import { rounded } from '../../src/ui/widgets/drawing/geometry.ts'
import { stateRows } from '../../src/ui/console/chart/chart-text.ts'
import type { PlacedChart, PlacedEdge, StateBox } from '../../src/ui/console/chart/placed-chart.ts'

/** A glyph of a fixed-width font is 0.6 times as wide as its size, whatever the machine. */
const SIZES = { state: 12, detail: 10.5, edge: 10.5 } as const
const measure: Measure = (text, kind) => text.length * SIZES[kind] * 0.6

const MARGIN = 12

const STYLE = `
text { font-family: ui-monospace, 'SFMono-Regular', Menlo, Consolas, monospace; fill: #1d2b33 }
.ground { fill: #fbfdfd }
.state { fill: #fff; stroke: #8fa3ad; stroke-width: 1 }
.nested { fill: #eef4f5; fill-opacity: .6 }
.region { fill: none; stroke: none }
.final { fill: none; stroke: #8fa3ad }
.separator { stroke: #8fa3ad; stroke-dasharray: 4 4 }
.name { font-size: ${SIZES.state}px; font-weight: 600 }
.middle { text-anchor: middle }
.detail, .label { font-size: ${SIZES.detail}px; fill: #55676f }
.label { text-anchor: middle; paint-order: stroke; stroke: #fbfdfd; stroke-width: 3px }
.edge { fill: none; stroke: #5f7782; stroke-width: 1.1 }
.dot, .tip { fill: #5f7782 }
@media (prefers-color-scheme: dark) {
  text { fill: #e4edf0 }
  .ground { fill: #0f171b }
  .state { fill: #16232a; stroke: #55707d }
  .nested { fill: #1b2a31; fill-opacity: .6 }
  .region { fill: none; stroke: none }
  .final { fill: none; stroke: #55707d }
  .separator { stroke: #55707d }
  .detail, .label { fill: #a3b6be }
  .label { stroke: #0f171b }
  .edge { stroke: #7f98a3 }
  .dot, .tip { fill: #7f98a3 }
}`

/** Whether a drawing is of this chart. */
export const isOf = (svg: string, { hash }: MachineChart): boolean => svg.includes(` data-chart="${hash}">`)

/** Returns the chart as SVG text; the same machine always gives the same text. */
export async function drawChart(chart: MachineChart): Promise<string> {
  const elk = new ELK()
  // Transitions with their guards; states without the details that the tables give.
  const parts: ChartParts = {
    ...chartParts(chart, { detail: 'full' }),
    rowsOf: state => stateRows(state, 'brief'),
  }
  const layout = (direction: Direction) =>
    layoutChart(parts, { measure, direction }, graph => elk.layout(graph))
  const [right, down] = [await layout('RIGHT'), await layout('DOWN')]
  const placed = right.width < down.width ? right : down
  const [width, height] = [placed.width + 2 * MARGIN, placed.height + 2 * MARGIN].map(Math.ceil)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-MARGIN} ${-MARGIN} ${width} ${height}" role="img" aria-label="${escaped(`Statechart of ${chart.id}`)}" data-chart="${chart.hash}">
<style>${STYLE}
</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>
<rect class="ground" x="${-MARGIN}" y="${-MARGIN}" width="${width}" height="${height}" rx="10"/>
${shapes(placed).join('\n')}
</svg>
`
}

function shapes({ id, boxes, edges, initials }: PlacedChart): string[] {
  return [
    ...boxes.flatMap(box => stateShape(box, id)),
    ...initials.flatMap(({ dot, points }) => [
      `<circle class="dot" cx="${dot.x}" cy="${dot.y}" r="4"/>`,
      arrow(rounded(points)),
    ]),
    ...edges.map(({ points }) => arrow(rounded(points))),
    // Labels come last, so that no line covers them.
    ...edges.flatMap(labels),
  ]
}

const arrow = (path: string) => `<path class="edge" d="${path}" marker-end="url(#tip)"/>`

function stateShape(box: StateBox, id: string): string[] {
  const { state, x, y, width, height, isRoot, isParted, isNested, separators, rows, own } = box
  if (state.type === 'history') return historyShape(box)
  const texts = [...rows.map(({ label, text }) => `${label} ${text}`), ...own.map(({ text }) => text)]
  const kind = isParted ? 'state region' : isNested ? 'state nested' : 'state'
  const isHeaded = isNested || texts.length > 0
  const rect = (name: string, by: number) =>
    `<rect class="${name}" x="${x + by}" y="${y + by}" width="${width - 2 * by}" height="${height - 2 * by}" rx="${isNested ? 12 : 8}"/>`
  return [
    rect(kind, 0),
    ...(state.type === 'final' ? [rect('final', 3)] : []),
    ...separators.map(
      ([from, to]) => `<line class="separator" x1="${from.x}" y1="${from.y}" x2="${to.x}" y2="${to.y}"/>`,
    ),
    `<text class="name${isHeaded ? '' : ' middle'}" x="${isHeaded ? x + 14 : x + width / 2}" y="${y + NAME_MIDDLE + 4}">${escaped(isRoot ? id : state.key)}</text>`,
    ...texts.map(
      (text, n) =>
        `<text class="detail" x="${x + 14}" y="${y + FIRST_ROW + n * LINE + 8}">${escaped(text)}</text>`,
    ),
  ]
}

function historyShape({ state, x, y }: StateBox): string[] {
  const half = HISTORY / 2
  return [
    `<circle class="state" cx="${x + half}" cy="${y + half}" r="${half - 1}"/>`,
    `<text class="name middle" x="${x + half}" y="${y + half + 4}">${state.history === 'deep' ? 'H*' : 'H'}</text>`,
  ]
}

const labels = ({ label, edge }: PlacedEdge): string[] =>
  edge.lines.map(
    ({ text }, n) =>
      `<text class="label" x="${label.x + label.width / 2}" y="${label.y + 2 + (n + 1) * LINE - 4}">${escaped(text)}</text>`,
  )

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
