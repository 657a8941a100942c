// What an API key says of itself: which kind it is, of which project, and until when it holds.
import { settingValue } from './address.ts'

export type KeyKind =
  /** `sb_publishable_…` */
  | 'publishable'
  /** A token with the role `anon`: what publishable keys were before. */
  | 'anon'
  /** Passes every policy: `sb_secret_…`, or a token with the role `service_role`. */
  | 'secret'
  /** Opens the account at the hoster: `sbp_…`. */
  | 'management'
  /** The access token of somebody who signed in. */
  | 'session'
  | 'unknown'

export interface ApiKey {
  /** Without what stood around it. */
  readonly key: string
  readonly kind: KeyKind
  /** The role that it gives to whoever is not signed in, where it says so. */
  readonly role?: string
  /** The project that it is of, where it says so. */
  readonly project?: string
  /** Unix milliseconds, where it says so. */
  readonly expiresAt?: number
}

const PREFIXES: readonly (readonly [string, KeyKind])[] = [
  ['sb_publishable_', 'publishable'],
  ['sb_secret_', 'secret'],
  ['sbp_', 'management'],
]
const SECRET_ROLES = ['service_role', 'supabase_admin', 'postgres']

/** Reads a key as it was pasted; what it says of itself is not verified. */
export function readKey(typed: string): ApiKey {
  const key = bareKey(typed)
  const prefixed = PREFIXES.find(([prefix]) => key.startsWith(prefix))
  if (prefixed) return { key, kind: prefixed[1] }
  const claims = claimsOf(key)
  if (!claims) return { key, kind: 'unknown' }
  const { role, ref, exp } = claims
  return {
    key,
    kind: kindOf(role),
    ...(typeof role === 'string' && { role }),
    ...(typeof ref === 'string' && { project: ref }),
    ...(typeof exp === 'number' && { expiresAt: exp * 1000 }),
  }
}

/** A token may end in the sign that stands in a setting between name and value. */
function bareKey(typed: string): string {
  const text = typed.trim().replace(/^bearer\s+/i, '')
  return claimsOf(text) ? text : settingValue(text).replace(/^bearer\s+/i, '')
}

/** False for keys that must never be in a browser, and for tokens of somebody: neither is the key of a project. */
export const isPublicKey = (typed: string): boolean =>
  !['secret', 'management', 'session'].includes(readKey(typed).kind)

/** True for keys that pass every policy or open an account: they must never reach a browser. */
export const isSecretKey = (typed: string): boolean => ['secret', 'management'].includes(readKey(typed).kind)

function kindOf(role: unknown): KeyKind {
  if (role === 'anon') return 'anon'
  if (typeof role !== 'string') return 'unknown'
  return SECRET_ROLES.includes(role) ? 'secret' : 'session'
}

function claimsOf(key: string): Readonly<Record<string, unknown>> | undefined {
  const [, payload, signature] = key.split('.')
  if (payload === undefined || signature === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof claims === 'object' && claims !== null ? { ...claims } : undefined
  } catch {
    return undefined
  }
}
