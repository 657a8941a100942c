// Chooses the media type of a response, and what produces it.
import type { ApiRequest, MediaType } from '../request/api-request.ts'
import { RestError } from '../rest-error.ts'
import type { MediaHandler, Name, SchemaCache } from '../schema/schema-cache.ts'

export type BodyFormat =
  | { readonly kind: 'none' }
  | { readonly kind: 'array' | 'object'; readonly stripsNulls: boolean }
  | { readonly kind: 'csv' | 'geojson' }
  | { readonly kind: 'custom'; readonly handler: MediaHandler }

export interface MediaPlan {
  readonly format: BodyFormat
  /** The header `Content-Type`. */
  readonly contentType: string
  /** Exactly one row is expected. */
  readonly isSingular: boolean
  readonly explain: Extract<MediaType, { kind: 'plan' }> | undefined
}

const CHARSET = '; charset=utf-8'

/** Names as in requests and in the names of domains. */
const NAMES = {
  json: 'application/json',
  geojson: 'application/geo+json',
  csv: 'text/csv',
  text: 'text/plain',
  xml: 'text/xml',
  openapi: 'application/openapi+json',
  form: 'application/x-www-form-urlencoded',
  bytes: 'application/octet-stream',
} as const

export function mediaName(media: MediaType): string {
  if (media.kind === 'any') return '*/*'
  if (media.kind === 'other') return media.name
  if (media.kind === 'array') return 'application/vnd.pgrst.array+json;nulls=stripped'
  if (media.kind === 'object')
    return `application/vnd.pgrst.object+json${media.stripsNulls ? ';nulls=stripped' : ''}`
  if (media.kind === 'plan') {
    const options = media.options.length > 0 ? `; options=${media.options.join('|')}` : ''
    return `application/vnd.pgrst.plan+${media.format}; for="${mediaName(media.of)}"${options}`
  }
  return NAMES[media.kind]
}

export const contentTypeOf = (media: MediaType): string =>
  media.kind === 'bytes' || media.kind === 'other' ? mediaName(media) : `${mediaName(media)}${CHARSET}`

export interface MediaOptions {
  /** The table or view, or the rows that a function returns. */
  readonly table: Name
  /** Whether everything is selected, so that the rows are those of the table. */
  readonly isWhole: boolean
  readonly hasBody: boolean
}

/** @throws RestError PGRST107 if none of the accepted ones is possible */
export function planMedia(cache: SchemaCache, { accept }: ApiRequest, options: MediaOptions): MediaPlan {
  for (const media of accept) {
    const plan = planOne(cache, media, options)
    if (plan) return options.hasBody || plan.explain ? plan : { ...plan, format: { kind: 'none' } }
  }
  throw new RestError({
    status: 406,
    code: 'PGRST107',
    message: `None of these media types are available: ${accept.map(mediaName).join(', ')}`,
  })
}

function planOne(cache: SchemaCache, media: MediaType, options: MediaOptions): MediaPlan | undefined {
  if (media.kind === 'plan') {
    const inner = cache.settings.plan ? planOne(cache, media.of, options) : undefined
    return inner && { ...inner, isSingular: false, contentType: contentTypeOf(media), explain: media }
  }
  const plain = { contentType: contentTypeOf(media), isSingular: false, explain: undefined }
  if (media.kind === 'object')
    return { ...plain, isSingular: true, format: { kind: 'object', stripsNulls: media.stripsNulls } }
  if (media.kind === 'array') return { ...plain, format: { kind: 'array', stripsNulls: true } }
  return customPlan(cache, media, options) ?? builtIn(media, plain)
}

function customPlan(
  cache: SchemaCache,
  media: MediaType,
  { table, isWhole }: MediaOptions,
): MediaPlan | undefined {
  const name = mediaName(media)
  const handler =
    (isWhole ? (cache.mediaHandler(table, '*/*') ?? cache.mediaHandler(table, name)) : undefined) ??
    cache.mediaHandler(undefined, name)
  if (!handler) return undefined
  // What accepts anything says its type in the header that it sets.
  const produced = handler.media === '*/*' ? 'application/octet-stream' : handler.media
  return {
    contentType: typed(produced),
    isSingular: false,
    explain: undefined,
    format: { kind: 'custom', handler },
  }
}

/** Media types that PostgREST knows have a character set. */
const typed = (name: string): string =>
  Object.entries(NAMES).some(([kind, known]) => known === name && kind !== 'bytes')
    ? `${name}${CHARSET}`
    : name

function builtIn(media: MediaType, plain: Omit<MediaPlan, 'format'>): MediaPlan | undefined {
  if (media.kind === 'json' || media.kind === 'any')
    return {
      ...plain,
      contentType: `${NAMES.json}${CHARSET}`,
      format: { kind: 'array', stripsNulls: false },
    }
  return media.kind === 'csv' || media.kind === 'geojson'
    ? { ...plain, format: { kind: media.kind } }
    : undefined
}
