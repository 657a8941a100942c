// The claimed caller of a request. It is not verified, since a fault grants no access: it only disturbs.
import { decodeJwt } from 'jose'
import type { Caller } from './rule.ts'

const ANON: Caller = { kind: 'anon' }

/** The caller identified by a bearer token, or else by an API key. */
export function callerOf(...keys: readonly (string | null | undefined)[]): Caller {
  const callers = keys.flatMap(key => (key ? [readKey(key)] : []))
  return callers.find(({ kind }) => kind !== 'anon') ?? ANON
}

function readKey(key: string): Caller {
  if (key.startsWith('sb_')) return key.startsWith('sb_secret_') ? { kind: 'service' } : ANON
  const claims = decode(key)
  if (claims?.role === 'service_role') return { kind: 'service' }
  if (typeof claims?.sub !== 'string') return ANON
  return {
    kind: 'user',
    id: claims.sub,
    ...(typeof claims.email === 'string' ? { email: claims.email } : {}),
  }
}

function decode(token: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return decodeJwt(token)
  } catch {
    return undefined
  }
}
