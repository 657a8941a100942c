// Draws arrows between lanes from the selected event's causes and to its effects.
import type { ChosenScene, Scene } from './scene.ts'

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
