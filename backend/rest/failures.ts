// What PostgreSQL's errors are called over REST: the status, and the body with the database's own words.
import { json, restError } from '../errors.ts'
import { fieldOf, textOf } from '../fields.ts'
import type { EngineFailure } from '../database/engine-guard.ts'
import { unmark } from './exact-numbers.ts'
import type { Introspection } from './body.ts'

/** Statuses of whole classes and of single codes, as PostgREST has them; the longest match counts. */
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
  // PostgREST has 500 for these two, but it is the request that brings them about.
  '54': 413,
  // Too deep a recursion is the schema's doing.
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

/** The HTTP status for a SQLSTATE, for a caller who is anonymous or not. */
function statusOf(code: string, role: string): number {
  if (code === '42501') return role === 'anon' ? 401 : 403
  return STATUSES[code] ?? STATUSES[code.slice(0, 2)] ?? 400
}

/** The answer for an error that ended the database itself. */
export function failureResponse({ code, message, hint }: EngineFailure): Response {
  return json(statusOf(code, 'service_role'), { code, message, details: null, hint: hint ?? null })
}

/** What is known of a request that failed. */
export interface FailedCall {
  readonly error: unknown
  readonly role: string
  readonly introspection: Introspection
}

/** The answer in PostgREST's words, where lite has others; an answer that is no failure stays as it is. */
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

/** Lite has other statuses for many codes, and 500 `SUP` for those it does not know. */
function rename(
  status: number,
  body: unknown,
  { error, role, introspection }: FailedCall,
): Response | undefined {
  const [code, own] = [textOf(error, 'code'), fieldOf(body, 'code')]
  if (code !== undefined && isSqlState(code)) {
    const ownWords = own === code ? textOf(body, 'message') : undefined
    const [details, hint] = ['detail', 'hint'].map(name => textOf(error, name) ?? null)
    return json(statusOf(code, role), { code, message: ownWords ?? textOf(error, 'message'), details, hint })
  }
  if (own === 'PGRST205' && !isOffer(textOf(body, 'hint'), introspection))
    return restError(status, own, textOf(body, 'message') ?? '')
  if (status !== 500) return undefined
  // Lite stumbled without asking the database, so it is the request that makes no sense to it.
  if (own === undefined || own === 'SUP')
    return restError(400, 'PGRST100', 'The request could not be understood')
  // Its name for what it can't do.
  return own === 'PGRSTXXX' ? restError(400, 'PGRST100', textOf(body, 'message') ?? '') : undefined
}

/** For a schema without tables lite offers those of others, under its name. */
function isOffer(hint: string | undefined, { tables, views }: Introspection): boolean {
  return [...tables, ...views].some(({ schema, name }) => hint?.endsWith(`'${schema ?? 'public'}.${name}'`))
}

/** `PGRST` and `PT…` are raised on purpose and shape the whole answer, which lite has made. */
function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('PT') && code !== 'PGRST'
}
