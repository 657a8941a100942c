// Exports a trace to formats that other tools open.
import type { MachineChart } from '../format/chart.ts'
import { ExportError } from './export-error.ts'
import { toStateDiagram } from './mermaid-state.ts'
import { toPerfetto } from './perfetto.ts'
import { type Exported, pathOf, senderOf, stateText } from './run-text.ts'
import { toScxml } from './scxml.ts'
import { exchangesOf, type Exchange } from './network.ts'
import type { StepRecord } from '../format/records.ts'
import { messageText } from './mermaid-text.ts'

/** The available formats. */
export const EXPORT_FORMATS = ['perfetto', 'har', 'mermaid', 'scxml'] as const
/** Format of an export. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Options of `exportTrace`. */
export interface ExportOptions extends HarOptions, SequenceOptions {
  /** For `mermaid`: the run (default), or one machine. */
  readonly diagram?: 'sequence' | 'state'
  /** For `scxml` and state diagrams: the machine's id; defaults to the root machine. */
  readonly machine?: string
}

/**
 * Exports a trace as Chrome trace events (`perfetto`), HAR 1.2, Mermaid or SCXML. The same trace gives the
 * same text.
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

interface SequenceOptions {
  /** First and last step to draw, by `seq`. */
  readonly from?: number
  readonly until?: number
  /** Only steps of these actors and their descendants, and the events they sent. */
  readonly actors?: readonly string[]
}

/** Mermaid rejects texts of more than 50,000 characters, and longer diagrams are unreadable. */
const MOST_STEPS = 250

/** Starts at the first selected step; notes how many steps were left out. */
function toSequenceDiagram(trace: Exported, options: SequenceOptions = {}): string {
  const { from = 0, until = Infinity } = options
  const wanted = trace.steps.filter(
    step => step.seq >= from && step.seq <= until && isOf(trace, step, options),
  )
  if (wanted.length === 0) throw new ExportError(`no step to draw: the trace has ${trace.steps.length}`)
  const shown = wanted.slice(0, MOST_STEPS)
  const names = participants(trace, shown)
  const last = [...names.values()].at(-1)
  const left = wanted.length - shown.length
  const next = wanted[MOST_STEPS]?.seq
  return [
    'sequenceDiagram',
    ...[...names].map(([index, name]) => `  participant ${name} as ${messageText(label(trace, index))}`),
    ...messages(trace, shown, names),
    ...(left > 0 ? [`  Note over outside,${last}: ${left} more steps from step ${next} on`] : []),
    '',
  ].join('\n')
}

function isOf(trace: Exported, step: StepRecord, { actors }: SequenceOptions): boolean {
  if (!actors || actors.length === 0) return true
  const paths = [step.actor, senderOf(trace, step)].flatMap(at => (at === undefined ? [] : pathOf(trace, at)))
  return paths.some(path => actors.some(wanted => path === wanted || path.startsWith(`${wanted}/`)))
}

const OUTSIDE = -1

const label = (trace: Exported, index: number) => (index === OUTSIDE ? 'outside' : pathOf(trace, index))

/** In table order; the outside comes first. */
function participants(trace: Exported, steps: readonly StepRecord[]): Map<number, string> {
  const seen = new Set(steps.flatMap(step => [step.actor, senderOf(trace, step) ?? OUTSIDE]))
  const inOrder = [...seen].filter(index => index !== OUTSIDE).sort((a, b) => a - b)
  return new Map([[OUTSIDE, 'outside'], ...inOrder.map(index => [index, `a${index}`] as const)])
}

function messages(
  trace: Exported,
  steps: readonly StepRecord[],
  names: ReadonlyMap<number, string>,
): string[] {
  const states = new Map<number, string>()
  let time: number | undefined
  return steps.flatMap(step => {
    const { actor, event, t, value, status } = step
    const [to, sender] = [names.get(actor) ?? 'outside', names.get(senderOf(trace, step) ?? OUTSIDE)]
    const isLeaf = trace.actors[senderOf(trace, step) ?? OUTSIDE]?.kind !== 'machine' && sender !== 'outside'
    const state =
      status === 'active' ? stateText(value) : [stateText(value), status].filter(Boolean).join(', ')
    const isNews = state !== '' && states.get(actor) !== state
    states.set(actor, state)
    const isLater = t !== time
    time = t
    return [
      ...(isLater ? [`  Note over outside: ${seconds(t)} s`] : []),
      `  ${sender}${isLeaf ? '-->>' : '->>'}${to}: ${messageText(event.type)}`,
      ...(isNews ? [`  Note over ${to}: ${messageText(state)}`] : []),
    ]
  })
}

const seconds = (milliseconds: number) => String(Math.round(milliseconds) / 1000)
