// Looks up an error code: its service, status and message.
import { AUTH_CODES } from './auth-codes.ts'
import { FUNCTION_CODES } from './function-codes.ts'
import { REST_CODES } from './rest-codes.ts'
import { STORAGE_CODES } from './storage-codes.ts'

export type KnownCodes = Readonly<
  Record<string, readonly [status: number, message: string, olderError?: string]>
>

/** The default response for a code. */
export interface KnownCode {
  readonly status: number
  readonly message: string
  /** The older `error` field of a storage body, if it differs from the code. */
  readonly olderError?: string
}

export type Family = 'auth' | 'rest' | 'storage' | 'functions' | 'realtime'

const TABLES: Readonly<Partial<Record<Family, KnownCodes>>> = {
  auth: AUTH_CODES,
  rest: REST_CODES,
  storage: STORAGE_CODES,
  functions: FUNCTION_CODES,
}

/** Looks the code up in the given service, then in the others. */
export function knownCode(code: string, family?: Family): KnownCode | undefined {
  const familyCodes = family === undefined ? undefined : TABLES[family]
  const table = [familyCodes, ...Object.values(TABLES)].find(codes => codes && Object.hasOwn(codes, code))
  const entry = table?.[code]
  if (!entry) return undefined
  const [status, message, olderError] = entry
  return { status, message, ...(olderError === undefined ? {} : { olderError }) }
}
