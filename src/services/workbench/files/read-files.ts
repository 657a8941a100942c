// Parses buckets and objects from storage responses.
import {
  array,
  boolean,
  fallback,
  nullable,
  number,
  object,
  optional,
  pipe,
  string,
  transform,
} from 'valibot'
import { isAnyKeyOf, readList } from '../storage/safe-record.ts'
import type { StoredObject } from './listing.ts'

/** A bucket as visible to the session. */
export interface Bucket {
  readonly id: string
  readonly isPublic: boolean
  /** Maximum file size in bytes. */
  readonly maxBytes: number | undefined
  readonly types: readonly string[] | undefined
}

const bucket = pipe(
  object({
    id: string(),
    public: fallback(boolean(), false),
    file_size_limit: fallback(optional(number()), undefined),
    allowed_mime_types: fallback(optional(array(string())), undefined),
  }),
  transform((row): Bucket => ({
    id: row.id,
    isPublic: row.public,
    maxBytes: row.file_size_limit,
    types: row.allowed_mime_types,
  })),
)

const stored = object({
  name: string(),
  id: fallback(nullable(string()), null),
  updated_at: fallback(nullable(string()), null),
  metadata: fallback(nullable(isAnyKeyOf), null),
})

const unreadable = () => new Error('The response could not be read: it is not a list.')

/** @throws Error if the response is not a list. */
export function readBuckets(answer: unknown): readonly Bucket[] {
  const read = readList(bucket, answer)
  if (read === undefined) throw unreadable()
  return read.toSorted((a, b) => a.id.localeCompare(b.id))
}

/** @throws Error if the response is not a list. */
export function readObjects(answer: unknown): readonly StoredObject[] {
  const read = readList(stored, answer)
  if (read === undefined) throw unreadable()
  return read
}
