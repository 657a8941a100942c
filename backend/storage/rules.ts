// Validation rules for names and uploads.
import { invalidBucketName, invalidKey, invalidType, StorageFailure } from './failure.ts'
import type { BucketRow } from './rows.ts'

const LONGEST_NAME = 1024
/** What S3 accepts in names without encoding. */
const OBJECT_NAME = /^[\w/!.*'() &$=@;:+,?-]+$/
const BUCKET_NAME = /^[\w!.*'() &$=@;:+,?-]{1,100}$/
/** Of buckets that the hosted service creates itself. */
const RESERVED_SUFFIX = '--table-s3'

/** Refuses names that the storage server refuses, and segments that a download would resolve to another folder. */
export function checkName(name: string): void {
  const isBad = name.split('/').some(segment => ['.', '..'].includes(segment))
  if (isBad || name.length > LONGEST_NAME || !OBJECT_NAME.test(name)) throw invalidKey(name)
}

/** Refuses names that a new bucket may not have. */
export function checkBucketName(name: string): void {
  if (name.trim() !== name || !BUCKET_NAME.test(name) || name.endsWith(RESERVED_SUFFIX))
    throw invalidBucketName()
}

/** The size of the largest file: of the bucket's limit and that of all files, the smaller one. */
export function largestFile(bucket: BucketRow, name: string, maxBytes: number): number {
  // As in the storage server, a placeholder is empty.
  if (name.endsWith(FOLDER_KEEPER)) return 0
  return Math.min(maxBytes, bucket.file_size_limit ?? Infinity)
}

export const tooLarge = () =>
  new StorageFailure(
    413,
    'EntityTooLarge',
    'Payload too large',
    'The object exceeded the maximum allowed size',
  )

/** The file that the dashboard creates to keep an empty folder. */
const FOLDER_KEEPER = '.emptyFolderPlaceholder'

/** Refuses content types that the bucket does not allow; parameters are part of a type. */
export function checkType(
  { allowed_mime_types: allowed }: BucketRow,
  name: string,
  contentType: string,
): void {
  if (!allowed || allowed.length === 0 || name.endsWith(FOLDER_KEEPER)) return
  const [type, subtype] = contentType.split('/')
  const isAllowed = allowed.some(one => {
    const [allowedType, allowedSubtype] = one.split('/')
    return allowedType === type && subtype !== undefined && ['*', subtype].includes(allowedSubtype ?? '')
  })
  if (!isAllowed) throw invalidType(contentType)
}
