// Creates stand-ins for secrets that code looks into: a JWT with the claims that may be seen, a token with its
// prefix. A separate module, because recordings of Chartroom's own machines need none.
import { publicPrefixOf, type StandIn } from './stand-ins.ts'

/** Claims that are kept by default: lifetime and level, which identify no user. */
const CLAIMS: ReadonlyMap<string, (claim: unknown) => boolean> = new Map([
  ...['exp', 'iat', 'nbf'].map(name => [name, Number.isFinite] as const),
  ['role', claim => typeof claim === 'string' && /^[a-z_]{1,40}$/.test(claim)],
  ['aal', claim => typeof claim === 'string' && /^aal\d$/.test(claim)],
])

/** Names of algorithms and types, such as `HS256`. */
const HEADER: ReadonlyMap<string, RegExp> = new Map([
  ['alg', /^[A-Za-z0-9]{1,8}$/],
  ['typ', /^(?:at\+)?jwt$/i],
])

export const standInFor: StandIn = (secret, number, claims = []) => {
  const plain = `[redacted:${number}]`
  const parts = secret.split('.')
  if (parts.length === 3 && secret.startsWith('eyJ')) return jwtLike(parts, number, claims) ?? plain
  const prefix = publicPrefixOf(secret)
  return prefix.length < secret.length ? prefix + plain : plain
}

function jwtLike(
  [head = '', body = '']: readonly string[],
  number: number,
  claims: readonly string[],
): string | undefined {
  const [header, payload] = [fieldsOf(head), fieldsOf(body)]
  if (!header || !payload) return undefined
  const keptHeader = Object.entries(header).filter(
    ([name, item]) => typeof item === 'string' && HEADER.get(name)?.test(item),
  )
  const kept = Object.entries(payload).flatMap(([name, claim]): [string, unknown][] => {
    if (claims.includes(name) || CLAIMS.get(name)?.(claim)) return [[name, claim]]
    return NAME.test(name) ? [[name, blank(claim, number, 0)]] : []
  })
  return `${textOf(keptHeader)}.${textOf(kept)}.redacted-${number}`
}

/** Names of claims are public; anything else could be a secret that is used as a key. */
const NAME = /^[A-Za-z_]{1,32}$/

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

const MOST_LEVELS = 8
const MOST_ITEMS = 20

/** A value of the same type without its content. */
function blank(value: unknown, number: number, level: number): unknown {
  if (typeof value === 'string') {
    if (UUID.test(value)) return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
    return /^[^@\s]+@[^@\s]+$/.test(value) ? `redacted-${number}@example.invalid` : `redacted-${number}`
  }
  if (typeof value === 'number') return 0
  if (typeof value === 'boolean') return false
  if (typeof value !== 'object' || value === null || level > MOST_LEVELS) return null
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map(item => blank(item, number, level + 1))
  const fields = Object.entries(value).filter(([name]) => NAME.test(name))
  return Object.fromEntries(fields.map(([name, item]) => [name, blank(item, number, level + 1)]))
}

function fieldsOf(part: string): object | undefined {
  try {
    const base64 = part.replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(base64), char => char.charCodeAt(0))
    const fields: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof fields === 'object' && fields !== null && !Array.isArray(fields) ? fields : undefined
  } catch {
    return undefined
  }
}

function textOf(fields: readonly (readonly [string, unknown])[]): string {
  const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(fields)))
  const base64 = btoa(String.fromCharCode(...bytes))
  return base64
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '')
}
