// Errors of a server that is not available, distinguished from those of a statement.
import { textOf } from '../../shared/fields.ts'
import { UnavailableError } from '../../shared/unavailable.ts'

export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = textOf(error, 'code')
  if (code === undefined) return FROM_PG.test(error.message)
  // A statement can raise the SQLSTATEs of a server that ends, but not as fatal errors.
  return /^E[A-Z]{3,}$/.test(code) || textOf(error, 'severity') === 'FATAL'
}

/** pg's own errors have no code; those of sockets have one like `ECONNRESET`. */
const FROM_PG = /^(?:Connection terminated|Client (?:was closed|has encountered a connection error))/

/** REST turns the code into a 503. */
class ServerUnavailableError extends UnavailableError {
  readonly code = '57P01'
}

export function unreachable(name: string, cause: unknown): UnavailableError {
  const reason = cause instanceof Error ? cause.message || textOf(cause, 'code') || cause.name : String(cause)
  return new ServerUnavailableError(`PostgreSQL at ${name} is not available: ${reason}.`, { cause })
}
