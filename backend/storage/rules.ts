// Validation rules for names and uploads.
import { invalidKey, StorageFailure } from './failure.ts'
import type { BucketRow } from './rows.ts'

const LONGEST_NAME = 1024

/** Refuses names that are not plain path segments; some download clients treat a backslash as a separator. */
export function checkName(name: string): void {
  const segments = name.split(/[/\\]/)
  const isBad = segments.some(segment => ['', '.', '..'].includes(segment)) || !name.isWellFormed()
  if (isBad || name.length > LONGEST_NAME || /\p{Cc}/u.test(name)) throw invalidKey(name)
}

/** Refuses a file that is larger than the bucket allows. */
export function checkSize(bucket: BucketRow, size: number): void {
  if (bucket.file_size_limit === null || size <= bucket.file_size_limit) return
  const message = 'The object exceeded the maximum allowed size'
  throw new StorageFailure(413, 'EntityTooLarge', 'Payload too large', message)
}

/** Refuses content types that the bucket does not allow. */
export function checkType({ allowed_mime_types: allowed }: BucketRow, contentType: string): void {
  const type = contentType.split(';')[0]?.trim() ?? ''
  if (
    allowed &&
    !allowed.some(one => one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))))
  ) {
    throw new StorageFailure(
      415,
      'InvalidMimeType',
      'invalid_mime_type',
      `mime type ${type} is not supported`,
    )
  }
}
