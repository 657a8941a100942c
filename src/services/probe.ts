// Looks at a backend before anything is built on it: is it there, is it Supabase-compatible, is the key good.

/** What the user must mend; each has a message of its own. */
export type ProbeProblem =
  | 'badUrl'
  | 'missingKey'
  | 'secretKey'
  | 'unreachable'
  | 'blocked'
  | 'timeout'
  | 'notSupabase'
  | 'keyRefused'
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
  /** Milliseconds after which the whole probe gives up. */
  readonly deadline?: number
}

/** A backend on the same machine or a hosted one across the world answers well within this. */
const PROBE_DEADLINE_MS = 8_000

const fail = (problem: ProbeProblem, field: 'url' | 'key', message: string): ProbeResult => ({
  ok: false,
  problem,
  field,
  message,
})

/** The base URL in what the user typed, or undefined when it is none. */
export const baseUrl = (typed: string): string | undefined => {
  const text = typed.trim()
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  const scheme = /^(localhost|[\d.]+|\[.*\])(:|\/|$)/.test(text) ? 'http' : 'https'
  const url = URL.parse(hasScheme ? text : `${scheme}://${text}`)
  if (url === null || text === '' || !/^https?:$/.test(url.protocol) || url.username !== '') return undefined
  // A bare word parses as a host; a host worth asking has a dot or a port, or is this machine.
  const known = url.hostname.includes('.') || url.hostname.includes(':') || url.hostname === 'localhost'
  return known || url.port !== '' ? url.origin : undefined
}

const roleOf = (key: string): string | undefined => {
  const payload = key.split('.')[1]
  if (key.split('.').length !== 3 || payload === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    const role = typeof claims === 'object' && claims !== null && 'role' in claims ? claims.role : undefined
    return typeof role === 'string' ? role : undefined
  } catch {
    return undefined
  }
}

/** True for keys that pass every policy: they belong on servers and must never reach a browser. */
export const isSecretKey = (key: string): boolean =>
  key.trim().startsWith('sb_secret_') || ['service_role', 'supabase_admin'].includes(roleOf(key.trim()) ?? '')

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>> | undefined
}

const ask = async (url: string, key: string, fetch: typeof globalThis.fetch, signal: AbortSignal) => {
  const response = await fetch(url, { headers: { apikey: key }, signal })
  const text = await response.text()
  let body: Answer['body']
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) body = { ...parsed }
  } catch {
    body = undefined
  }
  return { status: response.status, body } satisfies Answer
}

/** A `fetch` that fails tells nothing; one without CORS that succeeds tells that something is there. */
const explainSilence = async (url: string, fetch: typeof globalThis.fetch, signal: AbortSignal) => {
  const { host } = new URL(url)
  try {
    await fetch(url, { mode: 'no-cors', signal })
    return fail(
      'blocked',
      'url',
      `${host} is there, but does not let this page read its answers (CORS). It may not be a Supabase backend.`,
    )
  } catch {
    if (signal.aborted) return tooLate(url)
    return fail(
      'unreachable',
      'url',
      `Nothing answers at ${host}. Is the backend running, and are you online?`,
    )
  }
}

const tooLate = (url: string) =>
  fail('timeout', 'url', `${new URL(url).host} did not answer in time. Try again, or check the address.`)

const judge = (url: string, auth: Answer, rest: Answer, key: string): ProbeResult => {
  const { host } = new URL(url)
  const said = [rest.body?.['message'], rest.body?.['hint']]
    .filter(text => typeof text === 'string')
    .join(' ')
  // Many hosts close the REST root to publishable keys; only a word about the key itself is about the key.
  const keyRefused = auth.status === 401 || auth.status === 403 || /(invalid|no) api ?key/i.test(said)
  if (keyRefused)
    return fail('keyRefused', 'key', `${host} does not know this key. Copy the publishable key again.`)
  if (auth.status >= 500 || rest.status >= 500)
    return fail(
      'unwell',
      'url',
      `${host} answers, but with an error (${Math.max(auth.status, rest.status)}). Try again.`,
    )
  if (auth.status !== 200 || typeof auth.body?.['external'] !== 'object' || rest.status === 404)
    return fail('notSupabase', 'url', `${host} answers, but not like a Supabase backend. Check the address.`)
  return { ok: true, url, key, signUpAllowed: auth.body['disable_signup'] !== true }
}

/**
 * Asks the backend's auth settings and REST root with the key.
 * Never throws and never takes longer than `deadline`; secret keys are refused before anything is sent.
 */
export const probeBackend = async (
  typed: { readonly url: string; readonly key: string },
  { fetch = globalThis.fetch.bind(globalThis), deadline = PROBE_DEADLINE_MS }: ProbePorts = {},
): Promise<ProbeResult> => {
  const url = baseUrl(typed.url)
  const key = typed.key.trim()
  if (url === undefined)
    return fail('badUrl', 'url', 'This is not a web address. It looks like https://your-project.supabase.co')
  if (key === '') return fail('missingKey', 'key', 'Enter the publishable (or anon) key of the project.')
  if (isSecretKey(key))
    return fail(
      'secretKey',
      'key',
      'This is a secret key. It passes every row policy, and whoever opens this browser could read it. Use the publishable key, and consider this one as leaked if it was shared.',
    )
  const signal = AbortSignal.timeout(deadline)
  try {
    const [auth, rest] = await Promise.all([
      ask(`${url}/auth/v1/settings`, key, fetch, signal),
      ask(`${url}/rest/v1/`, key, fetch, signal),
    ])
    return judge(url, auth, rest, key)
  } catch {
    return signal.aborted ? tooLate(url) : explainSilence(url, fetch, signal)
  }
}

/** JSON from a path of the page's own origin; undefined when there is none (or anything else is served). */
export const readOwnJson = async (
  path: string,
  { fetch = globalThis.fetch.bind(globalThis), deadline = PROBE_DEADLINE_MS }: ProbePorts = {},
): Promise<unknown> => {
  try {
    const response = await fetch(path, { signal: AbortSignal.timeout(deadline) })
    return response.ok ? ((await response.json()) as unknown) : undefined
  } catch {
    return undefined
  }
}
