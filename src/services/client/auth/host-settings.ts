// Public auth settings of a backend: the sign-in methods it offers, and whether sign-up is allowed.
import type { Failure } from '../../../machines/index.ts'
import { plainFailure, readAuthResponse } from './auth-response.ts'

/** Enabled sign-in methods of a backend, from `GET /auth/v1/settings`. */
export interface HostSettings {
  /** Passwords, and links and codes by email. */
  readonly email: boolean
  /** Codes by text message. */
  readonly phone: boolean
  /** Guest accounts. */
  readonly anonymous: boolean
  /** Single sign-on by domain. */
  readonly sso: boolean
  /** Passkeys. */
  readonly passkeys: boolean
  /** Names of OAuth providers, e.g. `github`. */
  readonly providers: readonly string[]
  /** Whether sign-up is allowed. */
  readonly signUp: boolean
  /** Whether a new email address must be confirmed before signing in. */
  readonly confirmsEmail: boolean
}

export type HostSettingsResult =
  { readonly ok: true; readonly value: HostSettings } | { readonly ok: false; readonly failure: Failure }

export interface HostSettingsPorts {
  readonly fetch?: typeof globalThis.fetch
  /** Milliseconds. */
  readonly deadline?: number
}

/** A page waits for this; a slower backend is asked again. */
const DEADLINE_MS = 8_000

const OURS: ReadonlySet<string> = new Set(['email', 'phone', 'anonymous_users'])

/** Parses the settings; undefined if the response is something else. */
export function parseHostSettings(answer: unknown): HostSettings | undefined {
  if (typeof answer !== 'object' || answer === null || !('external' in answer)) return undefined
  const fields = answer as Readonly<Record<string, unknown>>
  const { external } = fields
  if (typeof external !== 'object' || external === null) return undefined
  const on = Object.entries(external).flatMap(([name, is]) => (is === true ? [name] : []))
  return {
    email: on.includes('email'),
    phone: on.includes('phone'),
    anonymous: on.includes('anonymous_users'),
    sso: fields['saml_enabled'] === true,
    passkeys: fields['passkeys_enabled'] === true,
    providers: on.filter(name => !OURS.has(name)),
    signUp: fields['disable_signup'] !== true,
    confirmsEmail: fields['mailer_autoconfirm'] !== true,
  }
}

/** Loads a backend's settings; never throws. */
export async function readHostSettings(
  { url, key }: { readonly url: string; readonly key: string },
  { fetch = globalThis.fetch.bind(globalThis), deadline = DEADLINE_MS }: HostSettingsPorts = {},
): Promise<HostSettingsResult> {
  try {
    const signal = AbortSignal.timeout(deadline)
    const response = await fetch(`${url}/auth/v1/settings`, { headers: { apikey: key }, signal })
    if (!response.ok) return { ok: false, failure: plainFailure(await readAuthResponse(response)) }
    const value = parseHostSettings(await response.json())
    return value ? { ok: true, value } : { ok: false, failure: unreadable }
  } catch {
    return { ok: false, failure: plainFailure({ status: 0, message: '' }) }
  }
}

const unreadable: Failure = {
  kind: 'decode',
  message: 'The backend’s response could not be read.',
}
