// A run's network as HAR 1.2: requests and sockets with status, times and sizes, without headers, bodies and secrets.
import { exchangesOf, type Exchange } from './network.ts'
import type { Exported } from './run-text.ts'

/** Traces do not contain the backend's URL; this domain is reserved and never resolves. */
const NOWHERE = 'http://backend.invalid'

export interface HarOptions {
  /** Prefix of the paths: `https://your-project.supabase.co`. */
  readonly baseUrl?: string
}

/** The log as JSON; the same trace gives the same text. */
export function toHar(trace: Exported, { baseUrl = NOWHERE }: HarOptions = {}): string {
  const { startedAt, appVersion, system } = trace.header
  const log = {
    version: '1.2',
    creator: { name: 'chartroom', version: appVersion },
    comment: `Network activity seen by the machines of ${system}. Traces contain no headers, bodies or secrets.`,
    entries: exchangesOf(trace).map(exchange => entryOf(exchange, Date.parse(startedAt), baseUrl)),
  }
  return `${JSON.stringify({ log }, null, 2)}\n`
}

function entryOf(exchange: Exchange, startedAt: number, baseUrl: string) {
  const { start, end, answered, failure, attempt, isOver } = exchange
  const wait = (answered ?? end) - start
  const receive = answered === undefined || exchange.kind === 'socket' ? 0 : end - answered
  const words = [failure, isOver ? undefined : 'It was pending when the recording ended.', wordOf(attempt)]
  const comment = words.filter(word => word !== undefined).join(' ')
  return {
    startedDateTime: new Date(startedAt + start).toISOString(),
    time: wait + receive,
    request: requestOf(exchange, baseUrl),
    response: responseOf(exchange),
    cache: {},
    timings: { send: 0, wait, receive },
    ...(comment !== '' && { comment }),
    ...(exchange.kind === 'socket' && { _resourceType: 'websocket' }),
    ...(failure !== undefined && { _error: failure }),
  }
}

const wordOf = (attempt = 1) => (attempt > 1 ? `Attempt ${attempt}.` : undefined)

/** -1 means unknown. */
const UNKNOWN = { httpVersion: 'unknown', cookies: [], headers: [], headersSize: -1, bodySize: -1 }

function requestOf({ kind, method, path }: Exchange, baseUrl: string) {
  const base = kind === 'socket' ? baseUrl.replace(/^http/, 'ws') : baseUrl
  const url = `${base.replace(/\/$/, '')}${path.startsWith('/') ? '' : '/'}${path}`
  const at = url.indexOf('?')
  const query = at === -1 ? [] : [...new URLSearchParams(url.slice(at + 1))]
  return { method, url, ...UNKNOWN, queryString: query.map(([name, value]) => ({ name, value })) }
}

const responseOf = ({ status, bytes = -1 }: Exchange) => ({
  status,
  statusText: '',
  ...UNKNOWN,
  content: { size: bytes, mimeType: 'x-unknown' },
  redirectURL: '',
})
