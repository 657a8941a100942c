// From what an auth server answers to what an app can show.
import type { Failure } from '../machines/failure.ts'

/** The parts of an auth answer or error that matter, whichever API version wrote them. */
export interface AuthAnswer {
  /** 0 when there was no answer. */
  readonly status: number
  readonly code?: string | undefined
  readonly message: string
  /** Seconds. */
  readonly retryAfter?: number | undefined
  readonly faultId?: string | undefined
}

type Told = Pick<Failure, 'kind' | 'message'>

const taken: Told = {
  kind: 'conflict',
  message: 'There is an account with this email already. Sign in instead.',
}

/** Mail programs that look links over use them up, so this is no rare thing. */
const spent: Told = {
  kind: 'auth',
  message: 'This link or code has expired or was used already. Ask for a new one.',
}

const BY_CODE: Readonly<Record<string, Told>> = {
  invalid_credentials: { kind: 'auth', message: 'Wrong email or password.' },
  email_not_confirmed: {
    kind: 'auth',
    message: 'This email is not confirmed yet. Follow the link that was mailed to you.',
  },
  user_banned: { kind: 'forbidden', message: 'This account is blocked. Ask whoever runs the backend.' },
  user_already_exists: taken,
  email_exists: taken,
  otp_expired: spent,
  flow_state_not_found: spent,
  flow_state_expired: spent,
  bad_code_verifier: {
    kind: 'auth',
    message: 'This link was asked for in another browser. Open it there, or ask for a new one here.',
  },
  access_denied: { kind: 'auth', message: 'Signing in was declined.' },
  identity_already_exists: { kind: 'conflict', message: 'This sign-in belongs to another account already.' },
  signup_disabled: { kind: 'forbidden', message: 'This backend takes no new accounts.' },
  email_provider_disabled: {
    kind: 'forbidden',
    message: 'This backend does not let people sign in by email.',
  },
}

/** Codes whose own text says what to do. */
const SPOKEN: ReadonlySet<string> = new Set(['weak_password', 'validation_failed', 'email_address_invalid'])

/** Sets of characters as the server spells them out, and their names; a set comes before those within it. */
const CHARACTERS: readonly (readonly [RegExp, string])[] = [
  [/at least one character of each: /, ''],
  [/a\w{24}zA\w{24}Z/, 'a letter'],
  [/a\w{24}z/, 'a lower-case letter'],
  [/A\w{24}Z/, 'an upper-case letter'],
  [/0123456789/, 'a digit'],
  [/!@#\S+~/, 'a symbol'],
]

const inWords = (message: string) =>
  CHARACTERS.reduce((text, [characters, name]) => text.replace(characters, name), message)

/** Between two mails to one person the wait is told in the text alone. */
const waitIn = (message: string): number | undefined => {
  const seconds = /after (\d{1,6}) seconds/.exec(message)?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}

export function authFailure({ status, code, message, retryAfter: asked, faultId }: AuthAnswer): Failure {
  const retryAfter = asked ?? (status === 429 ? waitIn(message) : undefined)
  const told = (code !== undefined ? BY_CODE[code] : undefined) ?? byStatus(status, code, message)
  return {
    ...told,
    ...(code !== undefined && { code }),
    ...(status > 0 && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(faultId !== undefined && { faultId }),
  }
}

/** What an address tells of: in our words alone, since anybody can write an address. */
export function linkFailure(params: Readonly<Record<string, string>>): Failure {
  const codes = [params['error_code'], params['error']].filter(code => /^[a-z_]{1,64}$/.test(code ?? ''))
  const told = codes.flatMap(code => (code !== undefined && BY_CODE[code]) || [])[0]
  const code = codes[0] ?? 'unknown'
  return {
    kind: 'auth',
    message: `This link did not sign you in (${code}). Ask for a new one.`,
    ...told,
    code,
  }
}

function byStatus(status: number, code: string | undefined, message: string): Told {
  if (code !== undefined && SPOKEN.has(code)) return { kind: 'validation', message: inWords(message) }
  if (status === 0) return { kind: 'network', message: 'The backend cannot be reached.' }
  if (status === 429) return { kind: 'rateLimit', message: 'Too many attempts. Wait a moment and try again.' }
  if (status >= 500) return { kind: 'server', message: `The backend failed with status ${status}.` }
  if (status === 401 || status === 403) return { kind: 'auth', message }
  if (status === 404) return { kind: 'notFound', message }
  if (status === 422) return { kind: 'validation', message }
  return { kind: 'auth', message }
}

/** Reads the error body of an auth answer; a body that is no JSON is told by its status alone. */
export async function readAuthAnswer(response: Response): Promise<AuthAnswer> {
  const body: unknown = await response.json().catch(() => undefined)
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const text = [fields['msg'], fields['message'], fields['error_description'], fields['error']]
  const code = [fields['error_code'], fields['code']].find(value => typeof value === 'string')
  return {
    status: response.status,
    code,
    message: text.find(value => typeof value === 'string') ?? `status ${response.status}`,
    retryAfter: retryAfterOf(response),
    faultId: faultIdOf(response),
  }
}

/** Retry-After in seconds. A date is measured from the server's own time where that is told, not from ours. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const asked = headers.get('retry-after')
  if (asked === null) return undefined
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  const seconds = /^\s*\d/.test(asked) ? Number(asked) : Math.max(0, (Date.parse(asked) - now) / 1000)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

/** What a server puts there goes into traces: no more than an id, and a count. */
const FAULT_ID = /^[\w.-]{1,64}#\d{1,10}$/

/** The fault on command that an answer of the embedded backend names as its cause; the first where there are several. */
export function faultIdOf(response: Response): string | undefined {
  const first = response.headers.get('x-chartroom-fault')?.split(',', 1)[0]?.trim()
  return first !== undefined && FAULT_ID.test(first) ? first : undefined
}
