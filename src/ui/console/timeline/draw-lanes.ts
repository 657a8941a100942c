// Draws the lanes of the timeline: lifetimes, states, events and collapsed descendants; in front of them
// marks and causes.
import { eachPoint, eachSpan, FLAG, type StateInfo } from '../../../trace/index.ts'
import type { Palette } from '../canvas/palette.ts'
import { tickLabel, ticks } from '../canvas/time-scale.ts'
import { drawArrows, drawBetween, drawMarks } from './draw-marks.ts'
import { BAR, ROW, RULER, type ChosenScene, type Scene, MANY } from './lanes.ts'

const LABEL_FROM = 28

/** Draws everything that does not change with a step into a cleared canvas. */
export function drawLanes(context: CanvasRenderingContext2D, scene: Scene): void {
  const { list, top, height } = scene
  prepare(context, scene)
  drawTicks(context, scene)
  drawBetween(context, scene)
  below(context, scene, () => {
    const first = Math.max(0, Math.floor(top / ROW))
    const last = Math.min(list.lanes.length - 1, Math.floor((top + height) / ROW))
    for (let row = first; row <= last; row++) drawLane(context, scene, row)
  })
}

/**
 * Draws the surroundings of the selected event and everything above the lanes into a second canvas in front.
 */
export function drawFront(context: CanvasRenderingContext2D, scene: ChosenScene): void {
  prepare(context, scene)
  below(context, scene, () => drawArrows(context, scene, yOf(scene)))
  drawMarks(context, scene, yOf(scene))
}

function prepare(context: CanvasRenderingContext2D, { palette }: Scene): void {
  context.font = `11px ${palette.font}`
  context.textBaseline = 'middle'
}

/** Draws below the ruler only. */
function below(context: CanvasRenderingContext2D, { scale, height }: Scene, draw: () => void): void {
  context.save()
  context.beginPath()
  context.rect(0, RULER, scale.width, height - RULER)
  context.clip()
  draw()
  context.restore()
}

/** Returns the middle of a lane, in the canvas. */
const yOf =
  ({ top }: Scene) =>
  (row: number): number =>
    RULER + row * ROW - top + ROW / 2

function drawTicks(context: CanvasRenderingContext2D, { scale, palette, height }: Scene): void {
  const marks = ticks(scale, 90)
  const step = (marks[1] ?? 1) - (marks[0] ?? 0)
  context.fillStyle = palette.of['line-soft']
  for (const t of marks) context.fillRect(Math.round(scale.x(t)), 0, 1, height)
  context.fillStyle = palette.of['ink-3']
  for (const t of marks) context.fillText(tickLabel(t, step), Math.round(scale.x(t)) + 4, RULER / 2)
  context.fillStyle = palette.of.line
  context.fillRect(0, RULER - 1, scale.width, 1)
}

function drawLane(context: CanvasRenderingContext2D, scene: Scene, row: number): void {
  const { timeline, list, scale, palette } = scene
  const lane = list.lanes[row]
  if (!lane) return
  const { actor } = lane
  const y = yOf(scene)(row)
  const color = palette.families[timeline.familyId(actor)] ?? palette.of['ink-3']
  const [t0, t1] = scale.range
  const isFolded = lane.below > 0 && !lane.isOpen
  const inside = isFolded ? drawFolded(context, scene, actor, y, color) : undefined
  const spans: Omit<Bar, 'y' | 'color' | 'inside'>[] = []
  eachSpan(timeline, actor, t0, t1, scale.width, (from, to, seq, merged) =>
    spans.push({ from, to, seq, merged }),
  )
  // Between several states, the text would be in pieces and hide their names.
  const text = spans.length === 1 ? inside : undefined
  for (const span of spans) drawSpan(context, scene, { ...span, y, color, inside: text })
  context.fillStyle = color
  eachPoint(timeline, actor, t0, t1, scale.width / 2, (t, seq) => {
    const flags = timeline.flags(seq)
    const x = scale.x(t)
    if ((flags & (FLAG.failed | FLAG.injected)) === 0) return context.fillRect(x - 0.5, y + BAR / 2 - 3, 1, 3)
    drawDiamond(context, x, y + BAR / 2, (flags & FLAG.injected) !== 0 ? palette.of.inject : palette.of.fail)
    context.fillStyle = color
  })
}

interface Bar {
  readonly from: number
  readonly to: number
  readonly seq: number
  readonly merged: number
  readonly y: number
  readonly color: string
  /** Text about the descendants in a collapsed lane. */
  readonly inside: string | undefined
}

function drawSpan(context: CanvasRenderingContext2D, scene: Scene, bar: Bar): void {
  const { timeline, scale, palette } = scene
  const { from, to, seq, merged, y, color, inside } = bar
  const left = Math.max(-4, scale.x(from))
  const right = Math.min(scale.width + 4, scale.x(to))
  const width = Math.max(1, right - left - 1)
  const tone = merged === 1 ? scene.toneOf(seq) : 'neutral'
  context.fillStyle = color
  context.globalAlpha = merged > 1 ? 0.5 : timeline.state(seq).label === '' ? 0.16 : 0.3
  context.beginPath()
  context.roundRect(left, y - BAR / 2, width, BAR, Math.min(3, width / 2))
  context.fill()
  context.globalAlpha = 1
  if (tone === 'fail' || tone === 'pending' || tone === 'stale') {
    context.fillStyle = palette.of[tone === 'fail' ? tone : (`fill-${tone}` as const)]
    context.fillRect(left, y - BAR / 2, width, 2)
  }
  if (merged > 1 || width < LABEL_FROM) return
  const labels = inside === undefined ? stateLabels(timeline.state(seq)) : [inside]
  drawLabel(context, palette, labels, left, width, y)
}

/** A label whose start is left of the canvas moves along. */
function drawLabel(
  context: CanvasRenderingContext2D,
  palette: Palette,
  labels: readonly string[],
  left: number,
  width: number,
  y: number,
): void {
  const from = Math.max(left, 0) + 5
  const text = fittingLabel(labels, left + width - from - 3, part => context.measureText(part).width)
  context.fillStyle = palette.of.ink
  if (text !== undefined) context.fillText(text, from, y + 0.5)
}

function drawDiamond(context: CanvasRenderingContext2D, x: number, y: number, color: string): void {
  context.fillStyle = color
  context.beginPath()
  context.moveTo(x, y - 4)
  context.lineTo(x + 4, y)
  context.lineTo(x, y + 4)
  context.lineTo(x - 4, y)
  context.fill()
}

const known = new WeakMap<StateInfo, readonly string[]>()

/** Returns names of a state, the fullest first. */
export function stateLabels(state: StateInfo): readonly string[] {
  const found = known.get(state)
  if (found) return found
  const keys = state.leaves.map(path => path.slice(path.lastIndexOf('.') + 1))
  const [first = state.label] = keys
  const labels = [...new Set([state.label, keys.join(' · '), first])]
  known.set(state, labels)
  return labels
}

/** Upper and lower bounds of character widths, so that most labels need no measuring. */
const [WIDEST, NARROW] = [7.5, 5.2]
/** Shorter labels carry no information. */
const LEAST = 3

/**
 * Returns the first label that fits, else the beginning of the last one; undefined if there is too little
 * space.
 */
export function fittingLabel(
  labels: readonly string[],
  room: number,
  widthOf: (text: string) => number,
): string | undefined {
  const fits = (text: string) => text.length * WIDEST <= room || widthOf(text) <= room
  const whole = labels.find(fits)
  if (whole !== undefined) return whole === '' ? undefined : whole
  const last = labels.at(-1) ?? ''
  const most = Math.floor(room / NARROW)
  let text = `${last.slice(0, Math.max(0, most - 1))}…`
  while (text.length > LEAST && widthOf(text) > room) text = `${text.slice(0, -2)}…`
  return most < LEAST || text.length < LEAST || widthOf(text) > room ? undefined : text
}

const SLICE = 2

/** Draws the activity of collapsed descendants. `y` is the middle of the lane. Returns text for its bar. */
function drawFolded(
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
