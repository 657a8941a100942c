// Storage errors in the official shape, and the database errors behind them.
import { textOf } from '../fields.ts'

/** A refusal with the body `{ statusCode, error, message, code }`; sent with HTTP 400 as the official server does. */
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

/** What a database error means to the caller; other errors pass through. */
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
  // Values that a column can't hold: too large, nested too deeply, or with characters that PostgreSQL lacks.
  if (code?.startsWith('22') || code?.startsWith('54'))
    return invalidRequest('A value can not be stored as it is')
  if (code === '23503') return invalidRequest('The bucket you tried to delete is not empty')
  // Constraints of a project on the storage tables.
  if (code?.startsWith('23')) return invalidRequest('A constraint of the storage tables refuses it')
  return error
}
