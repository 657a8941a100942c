// Draws the content of a collapsed lane: a few slices, or a density area for many.
import { BAR, type Scene } from './scene.ts'
import { MANY } from './lanes.ts'

const SLICE = 2

/** Draws the activity of collapsed descendants. `y` is the middle of the lane. Returns text for its bar. */
export function drawFolded(
  context: CanvasRenderingContext2D,
  scene: Scene,
  actor: number,
  y: number,
  color: string,
): string | undefined {
  const { timeline } = scene
  const children = timeline.childrenOf(actor)
  context.fillStyle = color
  const text = children.length > MANY ? drawDensity(context, scene, children, y) : undefined
  if (text === undefined) drawSlices(context, scene, children, y)
  context.globalAlpha = 1
  return text
}

function drawSlices(
  context: CanvasRenderingContext2D,
  { timeline, scale }: Scene,
  children: readonly number[],
  y: number,
): void {
  const [t0, t1] = scale.range
  context.globalAlpha = 0.6
  const below = [...children]
  for (let next = below.pop(); next !== undefined; next = below.pop()) {
    below.push(...timeline.childrenOf(next))
    const { from, to } = timeline.lifeOf(next)
    if (to < t0 || from > t1) continue
    const left = Math.max(0, scale.x(from))
    context.fillRect(left, y + BAR / 2 - SLICE, Math.max(1, Math.min(scale.width, scale.x(to)) - left), SLICE)
  }
}

/** The height of the area is the number of simultaneous actors. */
function drawDensity(
  context: CanvasRenderingContext2D,
  { timeline, scale, palette }: Scene,
  children: readonly number[],
  y: number,
): string {
  const width = Math.ceil(scale.width)
  const changes = new Int32Array(width + 2)
  const failures = new Set<number>()
  let inRange = 0
  for (const child of children) {
    const { from, to } = timeline.lifeOf(child)
    if (to < scale.range[0] || from > scale.range[1]) continue
    inRange += 1
    const [left, right] = [Math.max(0, scale.x(from)), Math.min(width, scale.x(to))]
    changes[Math.floor(left)] = (changes[Math.floor(left)] ?? 0) + 1
    changes[Math.floor(right) + 1] = (changes[Math.floor(right) + 1] ?? 0) - 1
    const last = timeline.stepsOf(child).at(-1) ?? -1
    if (timeline.failed(last) && to <= scale.range[1]) failures.add(Math.round(right))
  }
  const alive = runningSum(changes)
  const most = alive.reduce((high, value) => Math.max(high, value), 1)
  context.globalAlpha = 0.55
  for (let x = 0; x < width; x++) {
    const high = (BAR * (alive[x] ?? 0)) / most
    if (high > 0) context.fillRect(x, y + BAR / 2 - high, 1, high)
  }
  context.globalAlpha = 1
  context.fillStyle = palette.of.fail
  for (const x of failures) context.fillRect(x - 0.5, y - BAR / 2, 1.5, 4)
  return `${inRange} in this range, at most ${most} at once`
}

function runningSum(changes: Int32Array): Int32Array {
  let sum = 0
  return changes.map(change => (sum += change))
}
