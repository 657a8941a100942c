// Errors that end a client of the database URL.
import { BackendError } from 'pg-gateway'
import { UnavailableError } from '../unavailable.ts'

/** Told to the client, which is then let go. */
export class WireError extends Error {
  override name = 'WireError'
  readonly code: string

  /** @param code - a SQLSTATE */
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The message that tells a client why it is let go; errors that are not meant for it stay unsaid. */
export function farewell(error: unknown): Uint8Array {
  const { code, message } = forClient(error)
  return new BackendError({ severity: 'FATAL', code, message }).flush()
}

function forClient(error: unknown): Pick<WireError, 'code' | 'message'> {
  if (error instanceof WireError) return error
  if (error instanceof UnavailableError) return new WireError('57P03', error.message)
  return new WireError('08P01', 'The message could not be handled.')
}
