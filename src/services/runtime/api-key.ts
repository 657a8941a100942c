// API keys by their kind: which may be in a browser, and which must never be.

export type KeyKind =
  /** `sb_publishable_…` */
  | 'publishable'
  /** A token with the role `anon`, the predecessor of publishable keys. */
  | 'anon'
  /** Bypasses every policy: `sb_secret_…`, or a token with the role `service_role`. */
  | 'secret'
  /** Gives access to the hosting account: `sbp_…`. */
  | 'management'
  /** A user's access token. */
  | 'session'
  | 'unknown'

const PREFIXES: readonly (readonly [string, KeyKind])[] = [
  ['sb_publishable_', 'publishable'],
  ['sb_secret_', 'secret'],
  ['sbp_', 'management'],
]
const SECRET_ROLES = ['service_role', 'supabase_admin', 'postgres']

/** The kind of a key without surrounding text; its content is not verified. */
export function keyKind(key: string): KeyKind {
  const prefixed = PREFIXES.find(([prefix]) => key.startsWith(prefix))
  if (prefixed) return prefixed[1]
  const role = jwtClaims(key)?.['role']
  if (role === 'anon') return 'anon'
  if (typeof role !== 'string') return 'unknown'
  return SECRET_ROLES.includes(role) ? 'secret' : 'session'
}

/** True for kinds that bypass every policy or give access to an account: they must never reach a browser. */
export const isSecretKind = (kind: KeyKind): boolean => kind === 'secret' || kind === 'management'

/** Returns the claims of a JWT; undefined if it is not one. */
export function jwtClaims(token: string): Readonly<Record<string, unknown>> | undefined {
  const [, payload, signature] = token.split('.')
  if (payload === undefined || signature === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof claims === 'object' && claims !== null ? { ...claims } : undefined
  } catch {
    return undefined
  }
}
