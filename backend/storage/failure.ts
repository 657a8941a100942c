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
export const invalidRequest = (message: string) =>
  new StorageFailure(400, 'InvalidRequest', 'invalid_request', message)
export const invalidJwt = (message: string) => new StorageFailure(403, 'InvalidJWT', 'Unauthorized', message)

/** Maps a database error to a storage error; other errors are returned unchanged. */
export function explain(error: unknown): unknown {
  const code = textOf(error, 'code')
  if (code === '42501') {
    return new StorageFailure(
      403,
      'AccessDenied',
      'Unauthorized',
      'new row violates row-level security policy',
    )
  }
  if (code === '23505') {
    return new StorageFailure(409, 'ResourceAlreadyExists', 'Duplicate', 'The resource already exists')
  }
  // Values that a column can't store: too large, nested too deeply, or with unsupported characters.
  if (code?.startsWith('22') || code?.startsWith('54')) return invalidRequest('A value cannot be stored')
  if (code === '23503') return invalidRequest('The bucket you tried to delete is not empty')
  // Constraints that a project has added to the storage tables.
  if (code?.startsWith('23')) return invalidRequest('A constraint of the storage tables failed')
  return error
}
