// Image transforms with sharp, which is optional: sizes, formats and qualities as in the official server.
import type makeSharp from 'sharp'
import type { ResizeOptions } from 'sharp'
import { StorageFailure } from './failure.ts'
import type { ObjectStore } from './objects.ts'
import type { RenderedImages } from './rendered.ts'
import type { ObjectRow } from './rows.ts'
import { describeTransform, sideOf, type Transform } from './transforms.ts'

export interface RenderedImage {
  readonly bytes: Uint8Array
  readonly contentType: string
}

/** Renders stored images. */
export interface Images {
  /** @param accept the request's `Accept`, which decides about WebP */
  render(row: ObjectRow, transform: Transform, accept: string | null): Promise<RenderedImage>
}

/** Limits of hosted projects. */
const LARGEST_FILE = 25 * 1024 ** 2
const MOST_PIXELS = 50_000_000
const DEFAULT_QUALITY = 80
/** Each rendering decodes a whole image in memory. */
const AT_ONCE = 2

const refused = (message: string) => new StorageFailure(400, 'InvalidRequest', 'InvalidRequest', message)
const notAnImage = () => refused('The source image is invalid or unsupported for rendering')
const tooManyPixels = () => refused('The source image resolution is too large to process')
const tooLarge = () => refused('The source image file is too large to process')
const missing = () =>
  new StorageFailure(
    501,
    'NotImplemented',
    'not_implemented',
    'Image transforms need the optional package sharp, which is not installed or has no build for this system. ' +
      'Run "npm install sharp", or request the file without a transform.',
    501,
  )

type Sharp = typeof makeSharp
type ImportSharp = () => Promise<{ readonly default: Sharp }>

/** Formats that images keep, by sharp's names; others become JPEG, or PNG with transparency. */
const OUTPUT_FORMATS: readonly string[] = ['jpeg', 'png', 'webp', 'gif', 'avif']
type Format = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'

/** The first bytes of each format that is rendered. */
const SIGNATURES: readonly (readonly [type: string, pattern: RegExp])[] = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['image/avif', /^[^]{4}ftypavi[fs]/],
]

/** Loads sharp, and says what to do if it is missing. */
async function loadSharp(importSharp: ImportSharp): Promise<Sharp> {
  const { default: sharp } = await importSharp().catch(() => {
    throw missing()
  })
  // Results are cached here; sharp's own cache would only hold memory.
  sharp.cache(false)
  return sharp
}

export function createImages(
  objects: ObjectStore,
  rendered: RenderedImages,
  importSharp: ImportSharp = () => import('sharp'),
): Images {
  const running = new Map<string, Promise<Uint8Array>>()
  const limit = createLimit(AT_ONCE)
  const renderOnce = (row: ObjectRow, key: string, work: () => Promise<Uint8Array>) => {
    const id = `${row.version} ${key}`
    // The same image may be requested several times before it is rendered.
    const rendering = running.get(id) ?? limit(work).finally(() => running.delete(id))
    running.set(id, rendering)
    return rendering
  }
  return {
    async render(row, transform, accept) {
      const content = await objects.open(row)
      if (content.size > LARGEST_FILE) throw tooLarge()
      const wantsWebp = transform.format === undefined && /\bimage\/webp\b/.test(accept ?? '')
      const key = `${describeTransform(transform)},${wantsWebp ? 'webp' : (transform.format ?? '')}`
      const bytes =
        (await rendered.get(row.version, key)) ??
        (await renderOnce(row, key, async () => {
          const sharp = await loadSharp(importSharp)
          const image = await transformed(sharp, await collect(content.stream()), transform, wantsWebp)
          await rendered.put(row.version, key, image)
          return image
        }))
      return { bytes, contentType: typeOf(bytes) }
    },
  }
}

async function transformed(
  sharp: Sharp,
  source: Uint8Array,
  transform: Transform,
  wantsWebp: boolean,
): Promise<Uint8Array> {
  const metadata = await sharp(source, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw notAnImage()
    })
  if (metadata.width * metadata.height > MOST_PIXELS) throw tooManyPixels()
  const requestedFormat = wantsWebp ? 'webp' : transform.format === 'origin' ? undefined : transform.format
  // Like imgproxy, which keeps SVG even for browsers that accept WebP.
  if (metadata.format === 'svg' && (requestedFormat === undefined || wantsWebp)) return source
  const sourceFormat = metadata.compression === 'av1' ? 'avif' : metadata.format
  const outputFormat = isKept(sourceFormat) ? sourceFormat : metadata.hasAlpha ? 'png' : 'jpeg'
  const format = requestedFormat ?? outputFormat
  const quality = transform.quality ?? DEFAULT_QUALITY
  return sharp(source, { limitInputPixels: MOST_PIXELS })
    .autoOrient()
    .resize(sizeFor(transform, metadata.autoOrient))
    .toFormat(format, format === 'png' || format === 'gif' ? {} : { quality })
    .toBuffer()
    .catch(() => {
      throw notAnImage()
    })
}

/** Images are never enlarged. */
function sizeFor(
  transform: Transform,
  source: { readonly width: number; readonly height: number },
): ResizeOptions {
  const [width, height] = [sideOf(transform.width), sideOf(transform.height)]
  if (width === undefined && height === undefined) return {}
  if (transform.resize === 'fill') {
    const [boxWidth, high] = [width ?? source.width, height ?? source.height]
    return { width: Math.min(boxWidth, source.width), height: Math.min(high, source.height), fit: 'fill' }
  }
  return {
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    fit: transform.resize === 'contain' ? 'inside' : 'cover',
    withoutEnlargement: true,
  }
}

const isKept = (format: string): format is Format => OUTPUT_FORMATS.includes(format)

function typeOf(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  return SIGNATURES.find(([, pattern]) => pattern.test(start))?.[0] ?? 'image/svg+xml'
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** Runs at most so many at once; the others wait. */
function createLimit(maxConcurrent: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let count = 0
  return async work => {
    if (count < maxConcurrent) count += 1
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else count -= 1
    }
  }
}
