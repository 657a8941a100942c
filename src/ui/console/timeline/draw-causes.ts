// Draws where the chosen event came from, and what it led to, as arrows between lanes.
import type { ChosenScene, Scene } from './scene.ts'

/** Causes that are drawn, nearest first, and effects. */
const [CAUSES, EFFECTS] = [12, 40]

/** Arrows to the chosen view from its causes, and from it to its effects. */
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
  colour: string,
): void {
  const rows = [list.rowOf.get(timeline.actor(from)), list.rowOf.get(timeline.actor(to))]
  if (rows[0] === undefined || rows[1] === undefined || rows[0] === rows[1]) return
  const [x0, y0, x1, y1] = [scale.x(timeline.t(from)), yOf(rows[0]), scale.x(timeline.t(to)), yOf(rows[1])]
  const down = y1 > y0 ? 1 : -1
  // Lanes step by step are near in time: the arrow leaves sideways so that it can be told from the moment's line.
  const bow = Math.max(10, Math.min(60, Math.abs(x1 - x0) / 2))
  context.strokeStyle = colour
  context.fillStyle = colour
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
