// Exports a trace to formats that other tools open.
import type { MachineChart } from '../format/chart.ts'
import { type Exported, ExportError } from './run-text.ts'
import { type SequenceOptions, toSequenceDiagram, toStateDiagram } from './mermaid.ts'
import { toPerfetto } from './perfetto.ts'
import { type OtlpOptions, toOtlp } from './otlp.ts'
import { toScxml } from './scxml.ts'
import { exchangesOf, type Exchange } from './network.ts'

/** The available formats. */
export const EXPORT_FORMATS = ['perfetto', 'har', 'otlp', 'mermaid', 'scxml'] as const
/** Format of an export. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Options of `exportTrace`. */
export interface ExportOptions extends HarOptions, OtlpOptions, SequenceOptions {
  /** For `mermaid`: the run (default), or one machine. */
  readonly diagram?: 'sequence' | 'state'
  /** For `scxml` and state diagrams: the machine's id; defaults to the root machine. */
  readonly machine?: string
}

/**
 * Exports a trace as Chrome trace events (`perfetto`), HAR 1.2, OTLP in JSON, Mermaid or SCXML. The same trace
 * gives the same text.
 * @throws ExportError if the trace does not contain what was requested
 */
export function exportTrace(trace: Exported, format: ExportFormat, options: ExportOptions = {}): string {
  return [...exportPieces(trace, format, options)].join('')
}

/** The same in pieces, for output that is too long for one string. */
export function exportPieces(
  trace: Exported,
  format: ExportFormat,
  options: ExportOptions = {},
): Iterable<string> {
  switch (format) {
    case 'perfetto':
      return toPerfetto(trace)
    case 'har':
      return [toHar(trace, options)]
    case 'otlp':
      return toOtlp(trace, options)
    case 'mermaid':
      return [
        options.diagram === 'state'
          ? toStateDiagram(chartOf(trace, options))
          : toSequenceDiagram(trace, options),
      ]
    case 'scxml':
      return [toScxml(chartOf(trace, options), trace.header.machines)]
  }
}

function chartOf({ header: { machines }, actors }: Exported, { machine }: ExportOptions): MachineChart {
  const wanted = machine ?? actors[0]?.src ?? ''
  const chart = Object.hasOwn(machines, wanted) ? machines[wanted] : undefined
  if (chart) return chart
  const known = Object.keys(machines).join(', ') || 'none'
  throw new ExportError(`there is no machine "${wanted}" in the trace; it has ${known}`)
}

/** Traces do not contain the backend's URL; this domain is reserved and never resolves. */
const NOWHERE = 'http://backend.invalid'

interface HarOptions {
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
