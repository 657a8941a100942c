// Errors that disconnect a client of the database URL.
import { BackendError } from 'pg-gateway'
import { UnavailableError } from '../shared/unavailable.ts'

/** Sent to the client, which is then disconnected. */
export class WireError extends Error {
  override name = 'WireError'
  readonly code: string

  /** @param code a SQLSTATE */
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The final message to a client; internal errors are not disclosed. */
export function farewell(error: unknown): Uint8Array {
  const { code, message } = forClient(error)
  return new BackendError({ severity: 'FATAL', code, message }).flush()
}

function forClient(error: unknown): Pick<WireError, 'code' | 'message'> {
  if (error instanceof WireError) return error
  if (error instanceof UnavailableError) return new WireError('57P03', error.message)
  return new WireError('08P01', 'Failed to handle the message.')
}
