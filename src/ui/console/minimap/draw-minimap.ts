// Draws the overview: a strip per family with its states, event density, and highlights.
import { FAMILIES } from '../../../trace/index.ts'
import type { Palette } from '../canvas/palette.ts'
import type { TimeScale } from '../canvas/time-scale.ts'
import { BUCKETS, LEVELS, type Overview } from './overview.ts'

/** Highlights in addition to the states: times in milliseconds. */
export interface Outstanding {
  readonly findings: readonly number[]
  readonly bookmarks: readonly number[]
  /** Lost parts, from and to. */
  readonly gaps: readonly (readonly [from: number, to: number])[]
}

export interface MinimapScene {
  readonly overview: Overview
  readonly scale: TimeScale
  readonly height: number
  readonly palette: Palette
  readonly outstanding: Outstanding
}

const PAD = 4
/** Maximum distance between strips in pixels; height reserved for event density. */
const [PITCH, FOOT] = [9, 5]

export function drawMinimap(context: CanvasRenderingContext2D, scene: MinimapScene): void {
  const { overview, height } = scene
  const strips = FAMILIES.map((_, family) => ({ family, levels: overview.levels(family) })).filter(
    ({ levels }) => levels.some(level => level > 0),
  )
  const room = height - PAD - FOOT
  const pitch = Math.min(PITCH, room / Math.max(1, strips.length))
  const top = PAD + (room - pitch * strips.length) / 2
  drawGaps(context, scene)
  strips.forEach(({ family, levels }, at) =>
    drawStrip(context, scene, family, levels, top + at * pitch, pitch),
  )
  drawEvents(context, scene)
  drawOutstanding(context, scene)
}

/** Draws runs of one level as bars: waiting and failed ones stand out, neutral ones are a line. */
function drawStrip(
  context: CanvasRenderingContext2D,
  { overview, scale, palette }: MinimapScene,
  family: number,
  levels: Uint8Array,
  top: number,
  pitch: number,
): void {
  const high = Math.max(2, Math.min(5, pitch - 2))
  for (let from = 0; from < BUCKETS;) {
    const level = levels[from] ?? 0
    let to = from + 1
    while (to < BUCKETS && levels[to] === level) to += 1
    if (level > 0) {
      const left = scale.x(from * overview.width)
      const right = Math.min(scale.x(to * overview.width), scale.x(scale.range[1] / 1.02))
      const tone = LEVELS[level - 1] ?? 'neutral'
      const isQuiet = tone === 'neutral'
      context.globalAlpha = isQuiet ? 0.45 : tone === 'fail' ? 1 : 0.7
      context.fillStyle =
        tone === 'fail' ? palette.of.fail : (palette.families[family] ?? palette.of['ink-3'])
      const width = Math.max(isQuiet ? 1 : 1.5, right - left)
      context.fillRect(left, isQuiet ? top + high / 2 - 0.5 : top, width, isQuiet ? 1 : high)
      if (tone === 'pending' || tone === 'stale') {
        context.globalAlpha = 1
        context.fillStyle = palette.of[`fill-${tone}`]
        context.fillRect(left, top, width, tone === 'stale' ? high : Math.min(2, high / 2))
      }
    }
    from = to
  }
  context.globalAlpha = 1
}

/** Draws event density, and injected faults at the lower edge. */
function drawEvents(context: CanvasRenderingContext2D, scene: MinimapScene): void {
  const { overview, scale, palette, height } = scene
  const most = overview.events.reduce((high, value) => Math.max(high, value), 1)
  const wide = Math.max(1, overview.width / scale.perPixel)
  context.fillStyle = palette.of['ink-3']
  eachFilled(overview.events, (bucket, count) => {
    // Logarithmic, so that few events are visible next to many.
    context.globalAlpha = 0.25 + 0.6 * (Math.log1p(count) / Math.log1p(most))
    context.fillRect(scale.x(bucket * overview.width), height - 3, wide, 2)
  })
  context.globalAlpha = 1
  context.fillStyle = palette.of.inject
  eachFilled(overview.injected, bucket => {
    context.fillRect(scale.x(bucket * overview.width) - 0.5, height - 4, Math.max(2, wide), 4)
  })
  context.fillStyle = palette.of.fail
  eachFilled(overview.failed, bucket => {
    context.fillRect(scale.x(bucket * overview.width) - 0.5, height - 8, 1.5, 8)
  })
}

function eachFilled(table: Uint32Array, visit: (bucket: number, count: number) => void): void {
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const count = table[bucket] ?? 0
    if (count > 0) visit(bucket, count)
  }
}

/** Draws failures as full-height lines and notes as pennants. */
function drawOutstanding(
  context: CanvasRenderingContext2D,
  { outstanding, scale, palette, height }: MinimapScene,
): void {
  context.fillStyle = palette.of.fail
  for (const t of outstanding.findings) {
    const x = Math.round(scale.x(t))
    context.fillRect(x, 0, 1.5, height)
    context.fillRect(x - 2, 0, 5.5, 3)
  }
  context.fillStyle = palette.of.ink
  for (const t of outstanding.bookmarks) {
    const x = Math.round(scale.x(t))
    context.fillRect(x, 0, 1, 9)
    context.beginPath()
    context.moveTo(x + 1, 0)
    context.lineTo(x + 7, 2.5)
    context.lineTo(x + 1, 5)
    context.fill()
  }
}

/** Hatches lost parts. */
function drawGaps(
  context: CanvasRenderingContext2D,
  { outstanding, scale, palette, height }: MinimapScene,
): void {
  context.strokeStyle = palette.of.stale
  for (const [from, to] of outstanding.gaps) {
    const [left, right] = [scale.x(from), Math.max(scale.x(from) + 3, scale.x(to))]
    context.save()
    context.beginPath()
    context.rect(left, 0, right - left, height)
    context.clip()
    context.globalAlpha = 0.5
    context.beginPath()
    for (let x = left - height; x < right; x += 5) {
      context.moveTo(x, height)
      context.lineTo(x + height, 0)
    }
    context.stroke()
    context.restore()
  }
}
