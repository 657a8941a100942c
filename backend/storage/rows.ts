// Records of buckets and objects, as stored in the tables.
import * as v from 'valibot'

/** A value that a response can send as a header. */
const headerValue = v.pipe(v.string(), v.regex(/^[\t\x20-\x7e\x80-\xff]*$/))

/** Metadata of a file's content. Written at upload, but SQL may have stored anything instead. */
const metadataSchema = v.object({
  eTag: v.fallback(headerValue, '""'),
  size: v.fallback(v.number(), 0),
  mimetype: v.fallback(headerValue, 'application/octet-stream'),
  cacheControl: v.fallback(headerValue, 'no-cache'),
  lastModified: v.fallback(headerValue, new Date(0).toISOString()),
  contentLength: v.fallback(v.number(), 0),
  httpStatusCode: v.fallback(v.number(), 200),
})

export type ObjectMetadata = v.InferOutput<typeof metadataSchema>

export function readObjectMetadata(value: unknown): ObjectMetadata {
  return v.parse(metadataSchema, typeof value === 'object' && value !== null ? value : {})
}

export interface ObjectRow {
  readonly id: string
  readonly bucket_id: string
  readonly name: string
  readonly owner: string | null
  readonly owner_id: string | null
  readonly version: string
  readonly metadata: ObjectMetadata
  readonly user_metadata: unknown
  readonly created_at: string
  readonly updated_at: string
  readonly last_accessed_at: string
}

export interface BucketRow {
  readonly id: string
  readonly name: string
  readonly owner: string | null
  readonly public: boolean
  readonly file_size_limit: number | null
  readonly allowed_mime_types: string[] | null
  readonly created_at: string
  readonly updated_at: string
}

export interface Place {
  readonly bucket: string
  readonly name: string
}

/** The row with its times in ISO format, as the storage server sends them. */
export function withIsoTimes<Row extends ObjectRow | BucketRow>(row: Row): Row {
  const times: [string, string][] = []
  for (const [name, value] of Object.entries<unknown>({ ...row }))
    if (name.endsWith('_at') && typeof value === 'string') times.push([name, new Date(value).toISOString()])
  return { ...row, ...Object.fromEntries<string>(times) }
}

/** Finds a record by bucket and name. */
export const FIND = 'select * from storage.objects where bucket_id = $1 and name = $2'
