// Maps PostgreSQL errors to REST: the status, and a body with the database's message.
import { json, restError } from '../../shared/errors.ts'
import { fieldOf, textOf } from '../../shared/fields.ts'
import type { EngineFailure } from '../engine.ts'
import { unmark } from './exact-numbers.ts'
import type { Introspection } from './body.ts'

/** PostgREST's statuses for error classes and single codes; the longest match wins. */
const STATUSES: Readonly<Record<string, number>> = {
  '08': 503,
  '09': 500,
  '0L': 403,
  '0P': 403,
  '23503': 409,
  '23505': 409,
  '25': 500,
  '25006': 405,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '53': 503,
  '53400': 500,
  // PostgREST returns 500 for these two, but the request causes them.
  '54': 413,
  // Excessive recursion is caused by the schema.
  '54001': 500,
  '55000': 400,
  '55': 500,
  '57': 500,
  '57P01': 503,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  P0001: 400,
  XX: 500,
}

/** The HTTP status for a SQLSTATE, which depends on whether the caller is anonymous. */
function statusOf(code: string, role: string): number {
  if (code === '42501') return role === 'anon' ? 401 : 403
  return STATUSES[code] ?? STATUSES[code.slice(0, 2)] ?? 400
}

/** The response for an error that ended the database. */
export function failureResponse({ code, message, hint }: EngineFailure): Response {
  return json(statusOf(code, 'service_role'), { code, message, details: null, hint: hint ?? null })
}

/** Information about a failed request. */
export interface FailedCall {
  readonly error: unknown
  /** The hint for an error of the database that has none. */
  readonly hint: string | undefined
  readonly role: string
  readonly introspection: Introspection
}

/** Replaces lite's error body with PostgREST's; successful responses are unchanged. */
export async function nameFailure(response: Response, call: FailedCall): Promise<Response> {
  if (response.status < 400) return response
  const text = unmark(await response.text())
  const { status, headers } = response
  const words = new Headers(headers)
  words.delete('content-length')
  return rename(status, parse(text), call) ?? new Response(text || null, { status, headers: words })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Lite has different statuses for many codes, and 500 `SUP` for unknown ones. */
function rename(
  status: number,
  body: unknown,
  { error, hint: ownHint, role, introspection }: FailedCall,
): Response | undefined {
  const [code, own] = [textOf(error, 'code'), fieldOf(body, 'code')]
  if (code !== undefined && isSqlState(code)) {
    const ownWords = own === code ? textOf(body, 'message') : undefined
    const details = textOf(error, 'detail') ?? null
    const hint = textOf(error, 'hint') ?? ownHint ?? null
    return json(statusOf(code, role), { code, message: ownWords ?? textOf(error, 'message'), details, hint })
  }
  if (own === 'PGRST205' && !isOffer(textOf(body, 'hint'), introspection))
    return restError(status, own, textOf(body, 'message') ?? '')
  if (status !== 500) return undefined
  // Lite failed without querying the database, so the request itself is invalid for it.
  if (own === undefined || own === 'SUP') return restError(400, 'PGRST100', 'Failed to parse the request')
  // Lite's code for unsupported features.
  return own === 'PGRSTXXX' ? restError(400, 'PGRST100', textOf(body, 'message') ?? '') : undefined
}

/** For a schema without tables, lite suggests tables of other schemas under its name. */
function isOffer(hint: string | undefined, { tables, views }: Introspection): boolean {
  return [...tables, ...views].some(({ schema, name }) => hint?.endsWith(`'${schema ?? 'public'}.${name}'`))
}

/** `PGRST` and `PT…` are raised deliberately and define the whole response, which lite has already built. */
function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('PT') && code !== 'PGRST'
}
