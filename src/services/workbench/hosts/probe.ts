// Checks a backend before it is used: whether it is reachable, Supabase-compatible, and accepts the key.
import { boundedFetch, retryAfterOf } from '../../client/index.ts'
import { explainHost } from '../rest/rest-error.ts'
import { projectOf, readAddress } from '../../runtime/index.ts'
import { isSecretKey, readKey, type ApiKey } from './api-key.ts'

/** Problem that the user must fix; each has its own message. */
export type ProbeProblem =
  | 'badUrl'
  | 'missingKey'
  | 'secretKey'
  | 'sessionToken'
  | 'otherProject'
  | 'keyExpired'
  | 'unreachable'
  | 'blocked'
  | 'timeout'
  | 'notSupabase'
  | 'keyRefused'
  | 'tooMany'
  | 'unavailable'
  | 'unwell'

export type ProbeResult =
  | {
      readonly ok: true
      /** The base URL, without a path. */
      readonly url: string
      readonly key: string
      readonly signUpAllowed: boolean
    }
  | {
      readonly ok: false
      readonly problem: ProbeProblem
      /** The input that the message belongs to. */
      readonly field: 'url' | 'key'
      readonly message: string
    }

export interface ProbePorts {
  readonly fetch?: typeof globalThis.fetch
  /** Timeout of the whole probe in milliseconds. */
  readonly deadline?: number
  /** Unix milliseconds. */
  readonly wall?: () => number
  /** Whether the device has a network connection. */
  readonly online?: () => boolean
}

/** In ms. Local and remote backends respond well within this time. */
const PROBE_DEADLINE_MS = 8_000

const fail = (problem: ProbeProblem, field: 'url' | 'key', message: string): ProbeResult => ({
  ok: false,
  problem,
  field,
  message,
})

interface ParsedResponse {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** Seconds to wait before the next request, if the backend sent them. */
  readonly wait: number | undefined
}

const ask = async (url: string, key: string, fetch: typeof globalThis.fetch, signal: AbortSignal) => {
  const response = await fetch(url, { headers: { apikey: key }, signal })
  const text = await response.text()
  let body: ParsedResponse['body']
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) body = { ...parsed }
  } catch {
    body = undefined
  }
  return { status: response.status, body, wait: retryAfterOf(response) } satisfies ParsedResponse
}

/** A failed `fetch` gives no reason; if one without CORS succeeds, a server is reachable. */
const explainSilence = async (
  url: string,
  { fetch, online }: Required<Pick<ProbePorts, 'fetch' | 'online'>>,
  signal: AbortSignal,
) => {
  const { host } = new URL(url)
  try {
    await fetch(url, { mode: 'no-cors', signal })
    return fail(
      'blocked',
      'url',
      `${host} is reachable, but CORS blocks this page. It may not be a Supabase backend.`,
    )
  } catch {
    if (signal.aborted) return tooLate(url)
    return fail(
      'unreachable',
      'url',
      online()
        ? `${host} does not respond. Is the backend running?`
        : `This device is offline, so ${host} can’t be checked. Your input is kept.`,
    )
  }
}

const tooLate = (url: string) =>
  fail('timeout', 'url', `${new URL(url).host} did not respond in time. Try again, or check the address.`)

const tooMany = (host: string, wait: number) => {
  const when = wait > 0 ? `in ${Math.ceil(wait)} s` : 'in a moment'
  return fail('tooMany', 'url', `Too many requests to ${host}. Try again ${when}.`)
}

const classify = (url: string, auth: ParsedResponse, rest: ParsedResponse, key: string): ProbeResult => {
  const { host } = new URL(url)
  for (const { status, body } of [auth, rest]) {
    const explained = explainHost(status, body)
    if (explained) {
      const isOfKey = status === 401 || status === 403
      return fail('unavailable', isOfKey ? 'key' : 'url', `${explained.title}. ${explained.message}`)
    }
  }
  const message = [rest.body?.['message'], rest.body?.['hint']]
    .filter(text => typeof text === 'string')
    .join(' ')
  // Hosted projects reject public keys at the REST root, also as "Invalid API key"; only other messages about
  // the key mean that it is wrong.
  const isClosedRoot = /can be used for this endpoint/i.test(message)
  const keyRefused =
    auth.status === 401 || auth.status === 403 || (!isClosedRoot && /(invalid|no) api ?key/i.test(message))
  if (keyRefused)
    return fail('keyRefused', 'key', `${host} rejected this key. Copy the publishable key again.`)
  const limited = [auth, rest].filter(({ status }) => status === 429)
  if (limited.length > 0) return tooMany(host, Math.max(...limited.map(({ wait = 0 }) => wait)))
  if (auth.status >= 500 || rest.status >= 500)
    return fail(
      'unwell',
      'url',
      `${host} responded with an error (${Math.max(auth.status, rest.status)}). Try again.`,
    )
  if (auth.status !== 200 || typeof auth.body?.['external'] !== 'object' || rest.status === 404)
    return fail(
      'notSupabase',
      'url',
      `${host} responded, but not like a Supabase backend. Check the address.`,
    )
  return { ok: true, url, key, signUpAllowed: auth.body['disable_signup'] !== true }
}

const SECRET = {
  secret:
    'This is a secret key. It bypasses all row policies, and anyone using this browser could read it. Use the publishable key, and treat this one as leaked if it was shared.',
  management:
    'This is a personal access token. It gives access to your whole hosting account, and anyone using this browser could read it. Use the project’s publishable key, and revoke this token if it was shared.',
} as const

const MISPLACED =
  'This is a secret key, not an address. Nothing was sent. Anyone using this browser could read it: use the publishable key.'

/** Checks a key before anything is sent with it. */
function refuseKey({ key, kind, project, expiresAt }: ApiKey, url: string, now: number) {
  if (key === '') return fail('missingKey', 'key', 'Enter the project’s publishable (or anon) key.')
  if (kind === 'secret' || kind === 'management') return fail('secretKey', 'key', SECRET[kind])
  if (kind === 'session')
    return fail(
      'sessionToken',
      'key',
      'This is a user’s access token, not the project’s key. Use the publishable key; you sign in afterwards.',
    )
  const ownProject = projectOf(url)
  if (project !== undefined && ownProject !== undefined && project !== ownProject)
    return fail(
      'otherProject',
      'key',
      `This key belongs to project ${project}, but the address to ${ownProject}.`,
    )
  if (expiresAt !== undefined && expiresAt < now)
    return fail(
      'keyExpired',
      'key',
      `This key expired on ${new Date(expiresAt).toISOString().slice(0, 10)}. Copy the publishable key again.`,
    )
  return undefined
}

/**
 * Requests the backend's auth settings and REST root with the key. Never throws and never takes longer than
 * `deadline`. Secret keys are rejected before anything is sent.
 */
export const probeBackend = async (
  address: { readonly url: string; readonly key: string },
  {
    fetch = boundedFetch(globalThis.fetch.bind(globalThis), { all: true }),
    deadline = PROBE_DEADLINE_MS,
    wall = () => Date.now(),
    online = () => globalThis.navigator?.onLine ?? true,
  }: ProbePorts = {},
): Promise<ProbeResult> => {
  // As a URL it would be looked up by DNS, which would leak it.
  if (isSecretKey(address.url)) return fail('secretKey', 'url', MISPLACED)
  const url = readAddress(address.url)?.url
  if (url === undefined)
    return fail('badUrl', 'url', 'This is not a web address. Example: https://your-project.supabase.co')
  const read = readKey(address.key)
  const refused = refuseKey(read, url, wall())
  if (refused) return refused
  const { key } = read
  const signal = AbortSignal.timeout(deadline)
  try {
    const [auth, rest] = await Promise.all([
      ask(`${url}/auth/v1/settings`, key, fetch, signal),
      ask(`${url}/rest/v1/`, key, fetch, signal),
    ])
    return classify(url, auth, rest, key)
  } catch {
    return signal.aborted ? tooLate(url) : explainSilence(url, { fetch, online }, signal)
  }
}
