// Temporary errors: the backend is stopping, or the database or its disk is unavailable.
import { json } from './errors.ts'
import { textOf } from './fields.ts'

/** The backend can't serve the request now. Services rethrow it; the gateway responds with 503. */
export class UnavailableError extends Error {
  override name = 'UnavailableError'
}

/** Thrown for work that arrives after the backend started to stop. */
export class StoppedError extends UnavailableError {
  override name = 'StoppedError'
}

/** SQLSTATE of a full disk. */
const DISK_FULL_STATE = '53100'
const DISK_FULL_CODES = [DISK_FULL_STATE, 'ENOSPC', 'EDQUOT']

export const DISK_FULL = 'The disk that holds the data is full. Free some space; the backend then continues.'

/** Whether an error of the database or of a file operation means that the disk is full. */
export function isDiskFull(error: unknown): boolean {
  return DISK_FULL_CODES.includes(textOf(error, 'code') ?? '')
}

/** The error itself, or the equivalent `UnavailableError`. */
export function asUnavailable(error: unknown): unknown {
  return isDiskFull(error) ? new UnavailableError(DISK_FULL, { cause: error }) : error
}

const RETRY_AFTER_SECONDS = '1'

/** A 503 with a body that the clients of every service can parse. */
export function unavailable({ message }: UnavailableError): Response {
  const body = {
    status: 'unavailable',
    code: 'unavailable',
    message,
    msg: message,
    error: message,
    statusCode: '503',
  }
  return json(503, body, { 'retry-after': RETRY_AFTER_SECONDS })
}
