// Chooses the media type of a response, and what produces it.
import { type ApiRequest, type MediaType, mediaTypeName, readMediaType } from '../request/index.ts'
import { RestError } from '../rest-error.ts'
import type { MediaHandler, Name, SchemaCache } from '../schema/index.ts'

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

/** Of the media types that PostgREST knows, all but bytes are texts. */
const contentTypeOf = (media: MediaType): string =>
  media.kind === 'bytes' || media.kind === 'other'
    ? mediaTypeName(media)
    : `${mediaTypeName(media)}${CHARSET}`

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
    message: `None of these media types are available: ${accept.map(mediaTypeName).join(', ')}`,
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
  const name = mediaTypeName(media)
  const handler =
    (isWhole ? (cache.mediaHandler(table, '*/*') ?? cache.mediaHandler(table, name)) : undefined) ??
    cache.mediaHandler(undefined, name)
  if (!handler) return undefined
  // What accepts anything says its type in the header that it sets.
  const produced = handler.media === '*/*' ? 'application/octet-stream' : handler.media
  return {
    contentType: contentTypeOf(readMediaType(produced)),
    isSingular: false,
    explain: undefined,
    format: { kind: 'custom', handler },
  }
}

function builtIn(media: MediaType, plain: Omit<MediaPlan, 'format'>): MediaPlan | undefined {
  if (media.kind === 'json' || media.kind === 'any')
    return {
      ...plain,
      contentType: contentTypeOf({ kind: 'json' }),
      format: { kind: 'array', stripsNulls: false },
    }
  return media.kind === 'csv' || media.kind === 'geojson'
    ? { ...plain, format: { kind: media.kind } }
    : undefined
}
