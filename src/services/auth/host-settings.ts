// What a host's auth server says of itself: which ways to sign in it offers, and whom it takes.
import type { Failure } from '../../machines/failure.ts'
import { plainFailure, readAuthAnswer } from './auth-answer.ts'

/** The ways to sign in that a host has switched on, from `GET /auth/v1/settings`. */
export interface HostSettings {
  /** Passwords, links and codes by e-mail. */
  readonly email: boolean
  /** Codes by text message. */
  readonly phone: boolean
  /** Guests. */
  readonly anonymous: boolean
  /** Single sign-on by domain. */
  readonly sso: boolean
  /** Keys of a device, which it uses by a finger, a face or a PIN. */
  readonly passkeys: boolean
  /** Social providers by their names, e.g. `github`. */
  readonly providers: readonly string[]
  /** New accounts are taken. */
  readonly signUp: boolean
  /** A new address must be confirmed before it can sign in. */
  readonly confirmsEmail: boolean
}

export type HostSettingsResult =
  { readonly ok: true; readonly value: HostSettings } | { readonly ok: false; readonly failure: Failure }

export interface HostSettingsPorts {
  readonly fetch?: typeof globalThis.fetch
  /** Milliseconds. */
  readonly deadline?: number
}

/** A page waits for this; a host that takes longer is asked again. */
const DEADLINE_MS = 8_000

const OURS: ReadonlySet<string> = new Set(['email', 'phone', 'anonymous_users'])

/** The settings in an answer, or undefined when it is something else. */
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

/** Asks a host for its settings; never throws. */
export async function readHostSettings(
  { url, key }: { readonly url: string; readonly key: string },
  { fetch = globalThis.fetch.bind(globalThis), deadline = DEADLINE_MS }: HostSettingsPorts = {},
): Promise<HostSettingsResult> {
  try {
    const signal = AbortSignal.timeout(deadline)
    const response = await fetch(`${url}/auth/v1/settings`, { headers: { apikey: key }, signal })
    if (!response.ok) return { ok: false, failure: plainFailure(await readAuthAnswer(response)) }
    const value = parseHostSettings(await response.json())
    return value ? { ok: true, value } : { ok: false, failure: unreadable }
  } catch {
    return { ok: false, failure: plainFailure({ status: 0, message: '' }) }
  }
}

const unreadable: Failure = {
  kind: 'decode',
  message: 'The backend answered something that cannot be read.',
}
