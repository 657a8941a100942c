// Storage errors in the official format, and the database errors they are mapped from.
import { textOf } from '../shared/fields.ts'

/**
 * An error with the body `{ statusCode, error, message, code }`; sent with HTTP 400 like the official server.
 */
export class StorageFailure extends Error {
  override name = 'StorageFailure'
  readonly statusCode: string
  readonly error: string
  readonly code: string
  readonly status: number

  constructor(statusCode: number, code: string, error: string, message: string, status = 400) {
    super(message)
    this.statusCode = String(statusCode)
    this.error = error
    this.code = code
    this.status = status
  }

  toResponse(): Response {
    const { statusCode, error, message, code } = this
    return Response.json({ statusCode, error, message, code }, { status: this.status })
  }
}

export const noSuchKey = () => new StorageFailure(404, 'NoSuchKey', 'not_found', 'Object not found')
export const noSuchBucket = () =>
  new StorageFailure(404, 'NoSuchBucket', 'Bucket not found', 'Bucket not found')
export const invalidKey = (name: string) =>
  new StorageFailure(400, 'InvalidKey', 'InvalidKey', `Invalid key: ${name}`)
export const invalidBucketName = () =>
  new StorageFailure(400, 'InvalidBucketName', 'Invalid Input', 'Bucket name invalid')
export const invalidRequest = (message: string) =>
  new StorageFailure(400, 'InvalidRequest', 'InvalidRequest', message)
/** Of a body or a query that does not fit the schema. */
export const invalidBody = (message: string) => new StorageFailure(400, 'InvalidRequest', 'Error', message)
export const invalidType = (type: string, message = `mime type ${type} is not supported`) =>
  new StorageFailure(415, 'InvalidMimeType', 'invalid_mime_type', message)
export const notEmpty = () =>
  new StorageFailure(
    409,
    'ResourceNotEmpty',
    'ResourceNotEmpty',
    'The bucket you tried to delete is not empty',
  )
/** @param status 400, unless the role of the caller is the reason */
export const accessDenied = (message: string, status = 400) =>
  new StorageFailure(403, 'AccessDenied', 'Unauthorized', message, status)
/** Of the token in a signed URL. */
export const invalidJwt = (message: string) => new StorageFailure(400, 'InvalidJWT', 'InvalidJWT', message)
export const invalidSignature = () =>
  new StorageFailure(400, 'InvalidSignature', 'InvalidSignature', 'Invalid signature')
export const noRelated = () =>
  new StorageFailure(404, 'InvalidRequest', 'InvalidRequest', 'The related resource does not exist')
/** @param path as the storage server sees it */
export const noRoute = (method: string, path: string) =>
  new StorageFailure(404, 'InvalidRequest', 'Not Found', `Route ${method}:${path} not found`, 404)

/** Maps a database error to a storage error; other errors are returned unchanged. */
export function explain(error: unknown): unknown {
  const code = textOf(error, 'code')
  if (code === '42501') {
    return accessDenied('new row violates row-level security policy')
  }
  if (code === '23505') {
    const what = textOf(error, 'table') === 'buckets' ? 'Bucket' : 'Key'
    return new StorageFailure(409, `${what}AlreadyExists`, 'Duplicate', 'The resource already exists')
  }
  // Values that a column can't store: too large, nested too deeply, or with unsupported characters.
  if (code?.startsWith('22') || code?.startsWith('54')) return invalidRequest('A value cannot be stored')
  if (code === '23503')
    return new StorageFailure(404, 'InvalidRequest', 'InvalidRequest', 'The related resource does not exist')
  // Constraints that a project has added to the storage tables.
  if (code?.startsWith('23')) return invalidRequest('A constraint of the storage tables failed')
  return error
}
