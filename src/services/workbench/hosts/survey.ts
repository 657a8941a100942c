// A diagnostics run for a backend: the survey machine as a job, with real requests to each service.
import { fromCallback, type EventObject, type SnapshotFrom } from 'xstate'
import {
  type Family,
  type FamilyAnswered,
  type FamilyReport,
  type SurveyContext,
  surveyMachine,
} from '../../../machines/workbench/survey.ts'
import { boundedFetch } from '../../client/index.ts'
import { type Job, runJob } from '../jobs/run-job.ts'
import { explainHost } from '../rest/rest-error.ts'

/** State of the run. */
export interface SurveyState {
  readonly phase: 'running' | 'complete' | 'timedOut'
  readonly reports: SurveyContext['reports']
}

export type Survey = Job<typeof surveyMachine>

/** In ms. Remote backends respond well within this time. */
const DEADLINE_MS = 8_000

const browser = (): HostPorts => ({
  fetch: boundedFetch(globalThis.fetch.bind(globalThis), { all: true }),
  WebSocket: globalThis.WebSocket,
  now: () => performance.now(),
  wall: () => Date.now(),
})

/** Starts a diagnostics run. Secret keys are never sent, since they are rejected beforehand. */
export function startSurvey(
  host: Host,
  { deadline = DEADLINE_MS, ...ports }: Partial<HostPorts> & { readonly deadline?: number } = {},
): Survey {
  const used = { ...browser(), ...ports }
  const probeFamily = fromCallback<EventObject, { readonly family: Family }, FamilyAnswered>(
    ({ input: { family }, sendBack }) => {
      const leaving = new AbortController()
      void probeHost(family, host, used, leaving.signal)
        .catch(broken)
        .then(report => sendBack({ type: 'family.answered', family, report }))
      return () => leaving.abort()
    },
  )
  return runJob('survey', surveyMachine.provide({ actors: { probeFamily } }), { deadline })
}

export const surveyState = ({ value, context }: SnapshotFrom<typeof surveyMachine>): SurveyState => ({
  phase: value,
  reports: context.reports,
})

const broken = (error: unknown): FamilyReport => ({
  state: 'noResponse',
  ms: 0,
  detail: `The check failed: ${error instanceof Error ? error.message : String(error)}`,
  facts: [],
})

interface HostPorts {
  readonly fetch: typeof globalThis.fetch
  readonly WebSocket: typeof globalThis.WebSocket
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Unix milliseconds. */
  readonly wall: () => number
}

interface Host {
  readonly url: string
  readonly key: string
}

interface ParsedResponse {
  readonly status: number
  readonly body: Body
  readonly ms: number
  readonly skew: number | undefined
}

type FamilyResult = Omit<FamilyReport, 'ms' | 'skew'>

/** A name that no function has. */
const NO_FUNCTION = 'chartroom-looks-whether-functions-answer'

const PATHS: Readonly<Record<Exclude<Family, 'realtime'>, string>> = {
  auth: '/auth/v1/settings',
  rest: '/rest/v1/',
  storage: '/storage/v1/bucket',
  functions: `/functions/v1/${NO_FUNCTION}`,
}

/** Checks one family. Rejects only when aborted. */
async function probeHost(
  family: Family,
  host: Host,
  ports: HostPorts,
  signal: AbortSignal,
): Promise<FamilyReport> {
  if (family === 'realtime') return probeSocket(host, ports, signal)
  const started = ports.now()
  const answer = await call(host, PATHS[family], ports, signal).catch((error: unknown) => {
    signal.throwIfAborted()
    return error
  })
  if (!isAnswer(answer)) return { ...NO_RESPONSE, ms: Math.round(ports.now() - started) }
  const result = resultOf(family, answer)
  const { ms, skew } = answer
  const version =
    family === 'auth' && result.state === 'ok' ? await authVersion(host, ports, signal) : undefined
  return {
    ms,
    ...(skew === undefined ? {} : { skew }),
    ...result,
    ...(version === undefined ? {} : { version }),
  }
}

const NO_RESPONSE: FamilyResult = {
  state: 'noResponse',
  detail: 'No readable response: offline, or CORS blocks this page.',
  facts: [],
}

const isAnswer = (value: unknown): value is ParsedResponse =>
  typeof value === 'object' && value !== null && 'status' in value && 'ms' in value

async function call(
  host: Host,
  path: string,
  ports: HostPorts,
  signal: AbortSignal,
): Promise<ParsedResponse> {
  const started = ports.now()
  const response = await ports.fetch(host.url + path, { headers: { apikey: host.key }, signal })
  const text = await response.text()
  const ms = Math.round(ports.now() - started)
  return { status: response.status, body: parsed(text), ms, skew: skewOf(response, ports.wall()) }
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text) as Body
  } catch {
    return undefined
  }
}

/**
 * The header has a resolution of one second, so the middle is the best guess. Most backends hide it from
 * pages.
 */
function skewOf(response: Response, wall: number): number | undefined {
  const date = Date.parse(response.headers.get('date') ?? '')
  return Number.isNaN(date) ? undefined : date + 500 - wall
}

async function authVersion(host: Host, ports: HostPorts, signal: AbortSignal): Promise<string | undefined> {
  const answer = await call(host, '/auth/v1/health', ports, signal).catch(() => undefined)
  return versionOf(answer?.body)
}

function resultOf(family: keyof typeof PATHS, { status, body }: ParsedResponse): FamilyResult {
  const text = hasWords(body)
  const message = text === undefined ? '' : ` Message: ${text}`
  if (status === 429)
    return { state: 'unhealthy', detail: 'Too many requests (429). Rerun in a moment.', facts: [] }
  const explained = explainHost(status, body)
  if (explained) return { state: 'unhealthy', detail: `${explained.title}. ${explained.message}`, facts: [] }
  if (status >= 500)
    return { state: 'unhealthy', detail: `Responded with an error (${status}).${message}`, facts: [] }
  if (family === 'functions') return functionsResult(status, text)
  // A 404 without a message comes from the gateway, which does not know the path.
  if (status === 404)
    return { state: 'absent', detail: `Not available on this backend (404).${message}`, facts: [] }
  if (status === 401 || status === 403) return { ...CLOSED[family], facts: [] }
  if (status !== 200 || typeof body !== 'object' || body === null)
    return { state: 'absent', detail: `Unexpected response (${status}).${message}`, facts: [] }
  return { state: 'ok', ...ANSWERS[family](body) }
}

const CLOSED: Readonly<Record<'auth' | 'rest' | 'storage', Omit<FamilyResult, 'facts'>>> = {
  auth: { state: 'closed', detail: 'This key was rejected. Copy the publishable key again.' },
  rest: {
    state: 'closed',
    detail: 'Tables are not listed for publishable keys. Open them by name.',
  },
  storage: { state: 'closed', detail: 'Buckets are listed only for signed-in users.' },
}

const ANSWERS = {
  auth: (body: object) => ({ detail: 'Settings readable.', facts: authFacts(body) }),
  rest: (body: object) => {
    const { tables, calls, version } = tablesOf(body)
    return {
      detail: `${countOf(tables, 'table or view', 'tables and views')} and ${countOf(calls, 'function')} are listed for this key.`,
      facts: [],
      ...(version === undefined ? {} : { version }),
    }
  },
  storage: (body: object) => ({
    detail: Array.isArray(body)
      ? `${countOf(body.length, 'bucket')} can be listed without signing in.`
      : 'OK',
    facts: [],
  }),
} as const

function functionsResult(status: number, text: string | undefined): FamilyResult {
  const isRouted = text !== undefined && !/no route matched|name resolution/i.test(text)
  if (status === 404 && !isRouted)
    return { state: 'absent', detail: 'This backend has no edge functions (404).', facts: [] }
  return { state: 'ok', detail: 'OK. Functions are called by name.', facts: [] }
}

/** Opens a socket and closes it. Browsers do not report why a socket failed. */
function probeSocket(host: Host, { WebSocket, now }: HostPorts, signal: AbortSignal): Promise<FamilyReport> {
  const started = now()
  const address = `${host.url.replace(/^http/, 'ws')}/realtime/v1/websocket?apikey=${encodeURIComponent(host.key)}&vsn=1.0.0`
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address)
    const end = (report: FamilyResult) => {
      signal.removeEventListener('abort', giveUp)
      resolve({ ...report, ms: Math.round(now() - started) })
      socket.close()
    }
    const giveUp = () => {
      socket.close()
      reject(new DOMException('The check was canceled', 'AbortError'))
    }
    signal.addEventListener('abort', giveUp)
    socket.addEventListener('open', () => end({ state: 'ok', detail: 'A WebSocket connected.', facts: [] }))
    socket.addEventListener('error', () =>
      end({
        state: 'noResponse',
        detail: 'No WebSocket connection: realtime is offline, disabled, or rejects this key.',
        facts: [],
      }),
    )
  })
}

/** A parsed body; undefined if it was not JSON. */
type Body = object | string | number | boolean | null | undefined

const fieldsOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null ? { ...body } : {}

/** `1 table`, `3 tables`. */
const countOf = (count: number, one: string, plural = `${one}s`): string =>
  `${count} ${count === 1 ? one : plural}`

/** Returns the message in an error body, truncated to one line. */
function hasWords(body: Body): string | undefined {
  const { message, msg, error } = fieldsOf(body)
  const wording = [message, msg, error].find(text => typeof text === 'string')
  return wording?.slice(0, 160)
}

/** Returns the version from auth's health response or PostgREST's OpenAPI root. */
function versionOf(body: Body): string | undefined {
  const { version } = fieldsOf(body)
  return typeof version === 'string' && version !== '' ? version : undefined
}

/** Returns the number of tables and functions in an OpenAPI root. */
function tablesOf(body: object): { tables: number; calls: number; version: string | undefined } {
  const { paths, info } = fieldsOf(body)
  const names = Object.keys(fieldsOf(paths))
  const calls = names.filter(name => name.startsWith('/rpc/')).length
  const tables = names.filter(name => name !== '/').length - calls
  return { tables, calls, version: versionOf(fieldsOf(info)) }
}

/** Provider names whose spelling differs from their settings key. */
const NAMES: Readonly<Record<string, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  linkedin_oidc: 'LinkedIn',
  slack_oidc: 'Slack',
  workos: 'WorkOS',
}
const WAYS = new Set(['email', 'phone', 'anonymous_users'])

const nameOf = (provider: string) =>
  NAMES[provider] ?? provider.charAt(0).toUpperCase() + provider.slice(1).replaceAll('_', ' ')

/** What auth allows with only the publishable key. */
function authFacts(body: object): readonly string[] {
  const settings = fieldsOf(body)
  const external = fieldsOf(settings['external'])
  const isOn = (name: string) => external[name] === true
  const providers = Object.keys(external).filter(name => isOn(name) && !WAYS.has(name))
  return [
    settings['disable_signup'] === true ? 'Sign-up is disabled.' : 'Sign-up is open to everyone.',
    ...(isOn('anonymous_users') ? ['Guests can sign in without an account.'] : []),
    isOn('email')
      ? settings['mailer_autoconfirm'] === true
        ? 'Email: yes, without confirmation.'
        : 'Email: yes, after confirming the address.'
      : 'Email: no.',
    ...(isOn('phone') ? ['Phone: yes.'] : []),
    ...(providers.length > 0 ? [`Providers: ${providers.map(nameOf).join(', ')}.`] : []),
    ...(settings['saml_enabled'] === true ? ['Single sign-on (SAML): yes.'] : []),
  ]
}
