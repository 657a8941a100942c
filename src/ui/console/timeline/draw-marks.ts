// Draws elements across lanes: causes and effects, the moment, marks A and B with the time between, findings
// and notes.
import type { Palette } from '../canvas/palette.ts'
import { duration } from '../canvas/time-scale.ts'
import { RULER, type ChosenScene, type Scene } from './lanes.ts'

/** Behind the lanes: the span between the marks. */
export function drawBetween(context: CanvasRenderingContext2D, scene: Scene): void {
  const { palette, height } = scene
  const { left, right } = spanOfMarks(scene) ?? { left: 0, right: 0 }
  if (right <= left) return
  context.fillStyle = palette.of['ink-3']
  context.globalAlpha = 0.09
  context.fillRect(left, RULER, right - left, height - RULER)
  context.globalAlpha = 1
}

/** In front of the lanes. */
export function drawMarks(
  context: CanvasRenderingContext2D,
  scene: ChosenScene,
  yOf: (row: number) => number,
): void {
  drawNotes(context, scene)
  drawFindings(context, scene, yOf)
  for (const mark of ['a', 'b'] as const) {
    const t = timeOfMark(scene, mark)
    if (t !== undefined) drawMark(context, scene, mark.toUpperCase(), t)
  }
  drawLength(context, scene)
  drawMoment(context, scene)
}

function timeOfMark({ marks, timeline }: Scene, mark: 'a' | 'b'): number | undefined {
  const seq = marks[mark]
  return seq === undefined || seq >= timeline.size ? undefined : timeline.t(seq)
}

/** The visible part between the marks, in pixels, and its whole duration. */
function spanOfMarks(scene: Scene) {
  const [a, b] = [timeOfMark(scene, 'a'), timeOfMark(scene, 'b')]
  if (a === undefined || b === undefined) return undefined
  const { scale } = scene
  const [left, right] = [Math.max(0, scale.x(Math.min(a, b))), Math.min(scale.width, scale.x(Math.max(a, b)))]
  return { left, right, ms: Math.abs(b - a) }
}

function drawMark(
  context: CanvasRenderingContext2D,
  { scale, palette, height }: Scene,
  name: string,
  t: number,
): void {
  const x = Math.round(scale.x(t))
  if (x < -12 || x > scale.width) return
  context.strokeStyle = palette.of['ink-2']
  context.lineWidth = 1
  context.setLineDash([4, 3])
  context.beginPath()
  context.moveTo(x + 0.5, 0)
  context.lineTo(x + 0.5, height)
  context.stroke()
  context.setLineDash([])
  drawTag(context, palette, name, x, RULER - 12)
}

function drawTag(
  context: CanvasRenderingContext2D,
  palette: Palette,
  text: string,
  x: number,
  y: number,
): void {
  const width = context.measureText(text).width + 6
  context.fillStyle = palette.of['ink-2']
  context.fillRect(x, y, width, 12)
  context.fillStyle = palette.of.surface
  context.fillText(text, x + 3, y + 6.5)
}

/** Writes the time between the marks into the ruler. */
function drawLength(context: CanvasRenderingContext2D, scene: Scene): void {
  const { palette } = scene
  const { left, right, ms } = spanOfMarks(scene) ?? { left: 0, right: 0, ms: 0 }
  if (ms === 0 || right - left < 4) return
  const text = duration(ms)
  context.fillStyle = palette.of['ink-2']
  context.fillRect(left, RULER - 2, right - left, 1)
  const width = context.measureText(text).width + 6
  if (right - left < width + 26) return
  const x = (left + right - width) / 2
  context.fillStyle = palette.of.raised
  context.fillRect(x, 2, width, RULER - 5)
  context.fillStyle = palette.of.ink
  context.fillText(text, x + 3, RULER / 2)
}

function drawNotes(context: CanvasRenderingContext2D, { timeline, scale, palette }: Scene): void {
  context.fillStyle = palette.of.ink
  for (const { step } of timeline.bookmarks) {
    const x = Math.round(scale.x(timeline.t(step)))
    if (x < 0 || x > scale.width) continue
    context.fillRect(x, 2, 1, RULER - 3)
    context.beginPath()
    context.moveTo(x + 1, 2)
    context.lineTo(x + 8, 5)
    context.lineTo(x + 1, 8)
    context.fill()
  }
}

/** Draws findings in the ruler, and on the lane of their actor. */
function drawFindings(
  context: CanvasRenderingContext2D,
  { timeline, findings, list, scale, palette, height }: ChosenScene,
  yOf: (row: number) => number,
): void {
  for (const { seq, actor } of findings) {
    const x = scale.x(timeline.t(seq))
    if (x < 0 || x > scale.width) continue
    context.fillStyle = palette.of.fail
    context.fillRect(x - 2, 0, 5, 4)
    context.fillRect(x, 0, 1, RULER)
    const row = list.rowOf.get(actor)
    const y = row === undefined ? -1 : yOf(row)
    if (y < RULER || y > height) continue
    context.strokeStyle = palette.of.fail
    context.lineWidth = 1.5
    context.beginPath()
    context.arc(x, y, 5, 0, 2 * Math.PI)
    context.moveTo(x, y - 2.5)
    context.lineTo(x, y + 1)
    context.moveTo(x, y + 2)
    context.lineTo(x, y + 3)
    context.stroke()
  }
}

function drawMoment(
  context: CanvasRenderingContext2D,
  { timeline, seq, scale, palette, height }: ChosenScene,
): void {
  const t = timeline.t(seq)
  if (Number.isNaN(t)) return
  const x = Math.round(scale.x(t))
  if (x < 0 || x > scale.width) return
  context.fillStyle = palette.of.accent
  context.fillRect(x, 0, 1, height)
  context.beginPath()
  context.moveTo(x - 4, 0)
  context.lineTo(x + 5, 0)
  context.lineTo(x + 0.5, 6)
  context.fill()
}

/** Maximum number of causes drawn, nearest first, and of effects. */
const [CAUSES, EFFECTS] = [12, 40]

/** Draws arrows to the selected view from its causes, and from it to its effects. */
export function drawArrows(
  context: CanvasRenderingContext2D,
  scene: ChosenScene,
  yOf: (row: number) => number,
): void {
  const { timeline, seq, palette } = scene
  if (seq < 0 || seq >= timeline.size) return
  const chain = [seq, ...timeline.causesOf(seq, CAUSES)]
  context.lineWidth = 1.5
  chain.forEach((to, at) => {
    const from = chain[at + 1]
    if (from === undefined) return
    context.globalAlpha = Math.max(0.25, 0.9 - at * 0.12)
    drawArrow(context, scene, yOf, from, to, palette.of.accent)
  })
  context.globalAlpha = 0.7
  for (const to of timeline.effects(seq).slice(0, EFFECTS))
    drawArrow(context, scene, yOf, seq, to, palette.of['ink-3'])
  context.globalAlpha = 1
}

function drawArrow(
  context: CanvasRenderingContext2D,
  { timeline, list, scale }: Scene,
  yOf: (row: number) => number,
  from: number,
  to: number,
  color: string,
): void {
  const rows = [list.rowOf.get(timeline.actor(from)), list.rowOf.get(timeline.actor(to))]
  if (rows[0] === undefined || rows[1] === undefined || rows[0] === rows[1]) return
  const [x0, y0, x1, y1] = [scale.x(timeline.t(from)), yOf(rows[0]), scale.x(timeline.t(to)), yOf(rows[1])]
  const down = y1 > y0 ? 1 : -1
  // Adjacent steps are close in time: the arrow bows sideways so that it differs from the moment's line.
  const bow = Math.max(10, Math.min(60, Math.abs(x1 - x0) / 2))
  context.strokeStyle = color
  context.fillStyle = color
  context.beginPath()
  context.moveTo(x0, y0)
  context.bezierCurveTo(x0 + bow, y0, x1 - bow, y1 - down * 10, x1, y1 - down * 8)
  context.stroke()
  context.beginPath()
  context.moveTo(x1, y1 - down * 2)
  context.lineTo(x1 - 3.5, y1 - down * 9)
  context.lineTo(x1 + 3.5, y1 - down * 9)
  context.fill()
}
