// Options of image transforms: from a query, from a body, and in the token of a signed URL.
import * as v from 'valibot'
import { invalidRequest } from './failure.ts'

const number = (min: number, max: number) =>
  v.optional(
    v.pipe(
      v.unknown(),
      v.transform(Number),
      v.integer('must be an integer'),
      v.minValue(min, `must be >= ${min}`),
      v.maxValue(max, `must be <= ${max}`),
    ),
  )
const oneOf = <const T extends readonly string[]>(values: T) =>
  v.optional(v.picklist(values, `must be one of ${values.join(', ')}`))

/** The options of the official server; sizes outside the limits are cut to them. */
const transformSchema = v.object({
  width: number(0, Number.MAX_SAFE_INTEGER),
  height: number(0, Number.MAX_SAFE_INTEGER),
  resize: oneOf(['cover', 'contain', 'fill']),
  format: oneOf(['origin', 'avif', 'webp']),
  quality: number(20, 100),
  gravity: v.optional(v.never('is not supported by this backend')),
})

export type Transform = v.InferOutput<typeof transformSchema>

/** Hosted projects render from 1 to 2500 pixels per side. */
const LARGEST_SIDE = 2_500

/** Reads the options of a query, or of `where` in a body; an error names the parameter. */
export function readTransform(options: Readonly<Record<string, unknown>>, where = 'querystring'): Transform {
  const parsed = v.safeParse(transformSchema, options)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  throw invalidRequest(`${where}/${v.getDotPath(issue) ?? ''} ${issue.message}`)
}

/** Reads the options in the token of a signed URL, as written by `describeTransform`. */
export function readSigned(text: string): Transform {
  const pairs = text.split(',').map(pair => pair.split(':'))
  const options = Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]))
  return v.parse(transformSchema, options)
}

/** The options in a token; empty if there are none. */
export function describeTransform(transform: Transform): string {
  return segments(transform, `resize:${transform.resize ?? 'cover'}`)
}

const RESIZING = { cover: 'fill', contain: 'fit', fill: 'force' }

/** The options in the words of imgproxy, for the header `X-Transformations`. */
export function describeForHeader(transform: Transform): string {
  return segments(transform, `resizing_type:${RESIZING[transform.resize ?? 'cover']}`)
}

function segments(transform: Transform, resize: string): string {
  const { width, height, quality, format } = transform
  return [
    ...(height ? [`height:${sideOf(height)}`] : []),
    ...(width ? [`width:${sideOf(width)}`] : []),
    ...(width || height ? [resize] : []),
    ...(quality ? [`quality:${quality}`] : []),
    ...(format && format !== 'origin' ? [`format:${format}`] : []),
  ].join(',')
}

/** A side in pixels within the limits; `undefined` for 0, which keeps the proportions. */
export function sideOf(pixels: number | undefined): number | undefined {
  return pixels ? Math.min(pixels, LARGEST_SIDE) : undefined
}
