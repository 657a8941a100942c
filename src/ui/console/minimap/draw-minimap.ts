// Draws the minimap: how much happened when, a strip for each family, and what went wrong.
import type { Density } from '../../../trace/timeline/lanes.ts'
import type { Palette } from '../canvas/palette.ts'

/** Pixels that one bucket is wide. */
export const BUCKET = 2
const PAD = 4
const TICK = 2

/** Draws a density whose buckets are `BUCKET` pixels wide. */
export function drawMinimap(
  context: CanvasRenderingContext2D,
  height: number,
  { buckets, counts, failed, injected }: Density,
  palette: Palette,
): void {
  const strip = (height - 2 * PAD) / palette.families.length
  palette.families.forEach((colour, family) => {
    context.fillStyle = colour
    const own = counts.subarray(family * buckets, (family + 1) * buckets)
    const most = own.reduce((high, value) => Math.max(high, value), 1)
    for (let bucket = 0; bucket < buckets; bucket++) {
      const count = own[bucket] ?? 0
      if (count === 0) continue
      // Few must be seen beside many.
      const level = 0.35 + 0.65 * (Math.log1p(count) / Math.log1p(most))
      context.globalAlpha = level
      const bar = Math.max(2, (strip - 1) * level)
      context.fillRect(bucket * BUCKET, PAD + (family + 1) * strip - bar, BUCKET, bar)
    }
  })
  context.globalAlpha = 1
  drawTicks(context, injected, palette.of.inject, height - TICK - 1, TICK)
  drawTicks(context, failed, palette.of.fail, 0, height)
}

function drawTicks(
  context: CanvasRenderingContext2D,
  marks: Uint32Array,
  colour: string,
  top: number,
  height: number,
): void {
  context.fillStyle = colour
  for (let bucket = 0; bucket < marks.length; bucket++)
    if ((marks[bucket] ?? 0) > 0) context.fillRect(bucket * BUCKET, top, 1, height)
}
