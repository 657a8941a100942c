// A run as OpenTelemetry data in OTLP's JSON encoding: actors and network as spans, steps as log records.
import { encodeCompact } from '../codec/codec.ts'
import { hashText } from '../codec/hash.ts'
import type { StepRecord } from '../format/records.ts'
import { readTraceContext, type TraceContext } from '../format/trace-context.ts'
import { exchangesOf, type Exchange } from './network.ts'
import { type Exported, ExportError, type Life, livesOf, pathOf, senderOf, stateText } from './run-text.ts'

/** The signals of OTLP that a trace has; each has its own message and its own path at a collector. */
export const OTLP_SIGNALS = ['traces', 'logs'] as const
export type OtlpSignal = (typeof OTLP_SIGNALS)[number]

/** Numbers of the protocol's enums: the encoding does not allow their names. */
const KIND = { internal: 1, client: 3 }
const ERROR = 2
const SEVERITY = { info: 9, error: 17 }

export interface OtlpOptions {
  /** For `otlp`: only the spans or only the log records; defaults to both, each on a line. */
  readonly signal?: OtlpSignal
  /**
   * For `otlp`: the span of OpenTelemetry or Sentry that the run belongs to, as the value of a `traceparent` or `sentry-trace`
   * header. Defaults to that of the recording; without either, the run is a separate trace.
   */
  readonly traceparent?: string
}

/**
 * One message per line, as files of collectors have them: the spans, then the log records; or only those of one
 * signal, which is what `/v1/traces` and `/v1/logs` take. The same trace gives the same text.
 * @throws ExportError if `traceparent` is not valid
 */
export function* toOtlp(trace: Exported, { signal, traceparent }: OtlpOptions = {}): Generator<string> {
  const context = traceparent === undefined ? undefined : readTraceContext(traceparent)
  if (traceparent !== undefined && !context)
    throw new ExportError(
      `"${traceparent}" is no trace context; pass the value of a traceparent or sentry-trace header`,
    )
  const ids = idsOf(trace, context ?? readTraceContext(trace.header.traceparent ?? ''))
  const times = (t: number) => nanosOf(trace, t)
  if (signal !== 'logs')
    yield* message(trace, ['resourceSpans', 'scopeSpans', 'spans'], spansOf(trace, ids, times))
  if (signal !== 'traces')
    yield* message(trace, ['resourceLogs', 'scopeLogs', 'logRecords'], logsOf(trace, ids, times))
}

/** 64-bit numbers are strings in the encoding. */
function nanosOf({ header: { startedAt } }: Exported, t: number): string {
  const start = Date.parse(startedAt)
  return String(BigInt(Number.isNaN(start) ? 0 : start) * 1_000_000n + BigInt(Math.round(t * 1_000_000)))
}

type Ids = ReturnType<typeof idsOf>

/** Ids in hexadecimal, derived from the recording; they must not be zero. */
function idsOf(
  { header: { startedAt, system }, actors, stimuli }: Exported,
  context: TraceContext | undefined,
) {
  const run = JSON.stringify([startedAt, system, actors.length, stimuli.length])
  const id = (name: string) => {
    const hash = hashText(`${run} ${name}`)
    return hash === NO_ID ? `${NO_ID.slice(1)}1` : hash
  }
  return {
    trace: context?.traceId ?? id('trace 1') + id('trace 2'),
    parent: context?.spanId,
    run: id('run'),
    actor: (index: number) => id(`actor ${index}`),
    exchange: (index: number) => id(`exchange ${index}`),
  }
}

const NO_ID = '0'.repeat(16)

type Value =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly boolValue: boolean }

function valueOf(value: string | number | boolean): Value {
  // Strings of the protocol are UTF-8, which has no unpaired surrogates.
  if (typeof value === 'string') return { stringValue: value.toWellFormed() }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Absent values are left out. */
const attributesOf = (values: Readonly<Record<string, string | number | boolean | undefined>>) =>
  Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: valueOf(value) }],
  )

function* message(
  { header: { system, appVersion } }: Exported,
  [resources, scopes, items]: readonly [string, string, string],
  content: Iterable<object>,
): Generator<string> {
  const attributes = attributesOf({
    'service.name': system,
    'service.version': appVersion === '' ? undefined : appVersion,
  })
  yield `{"${resources}":[{"resource":${JSON.stringify({ attributes })},`
  yield `"${scopes}":[{"scope":{"name":"chartroom"},"${items}":[`
  let between = ''
  for (const item of content) {
    yield `${between}${JSON.stringify(item)}`
    between = ','
  }
  yield ']}]}]}\n'
}

type Times = (t: number) => string

function* spansOf(trace: Exported, ids: Ids, times: Times): Generator<object> {
  const { header, steps } = trace
  const last = steps.at(-1)?.t ?? 0
  yield {
    traceId: ids.trace,
    spanId: ids.run,
    ...(ids.parent !== undefined && { parentSpanId: ids.parent }),
    name: header.system.toWellFormed(),
    kind: KIND.internal,
    startTimeUnixNano: times(0),
    endTimeUnixNano: times(last),
    attributes: attributesOf({ 'chartroom.steps': steps.length }),
  }
  for (const life of livesOf(trace)) yield actorSpan(life, last, ids, times)
  for (const [index, exchange] of exchangesOf(trace).entries())
    yield exchangeSpan(exchange, index, ids, times)
}

function actorSpan({ actor, start, end }: Life, last: number, ids: Ids, times: Times): object {
  return {
    traceId: ids.trace,
    spanId: ids.actor(actor.index),
    parentSpanId: actor.parent === undefined ? ids.run : ids.actor(actor.parent),
    name: actor.path.toWellFormed(),
    kind: KIND.internal,
    startTimeUnixNano: times(start.t),
    endTimeUnixNano: times(end?.t ?? last),
    attributes: attributesOf({
      'chartroom.actor.kind': actor.kind,
      'chartroom.actor.src': actor.src,
      'chartroom.actor.status': end?.status ?? 'active',
    }),
    ...(end?.status === 'error' && { status: { code: ERROR } }),
  }
}

function exchangeSpan(exchange: Exchange, index: number, ids: Ids, times: Times): object {
  const { kind, actor, method, path, start, end, status, failure, attempt, bytes } = exchange
  const [route = '', query] = path.split('?')
  const isWrong = status >= 400 || failure !== undefined
  return {
    traceId: ids.trace,
    spanId: ids.exchange(index),
    parentSpanId: ids.actor(actor),
    name: kind === 'socket' ? 'socket' : method.toWellFormed(),
    kind: KIND.client,
    startTimeUnixNano: times(start),
    endTimeUnixNano: times(end),
    attributes: attributesOf({
      'http.request.method': method,
      'url.path': route,
      'url.query': query,
      'http.response.status_code': status === 0 ? undefined : status,
      'http.response.body.size': bytes,
      'http.request.resend_count': attempt !== undefined && attempt > 1 ? attempt - 1 : undefined,
      'error.type': isWrong ? (status >= 400 ? String(status) : 'no response') : undefined,
    }),
    ...(isWrong && {
      status: { code: ERROR, ...(failure !== undefined && { message: failure.toWellFormed() }) },
    }),
  }
}

function* logsOf(trace: Exported, ids: Ids, times: Times): Generator<object> {
  for (const step of trace.steps) yield logOf(trace, step, ids, times)
}

function logOf(trace: Exported, step: StepRecord, ids: Ids, times: Times): object {
  const { seq, t, actor, event, cause, by, status, value } = step
  const sender = senderOf(trace, step)
  const isWrong = status === 'error'
  return {
    timeUnixNano: times(t),
    observedTimeUnixNano: times(t),
    severityNumber: isWrong ? SEVERITY.error : SEVERITY.info,
    severityText: isWrong ? 'ERROR' : 'INFO',
    body: valueOf(`${pathOf(trace, actor)} took ${event.type}`),
    attributes: attributesOf({
      'chartroom.step': seq,
      'chartroom.actor': pathOf(trace, actor),
      'chartroom.event': event.type,
      'chartroom.event.data': JSON.stringify(encodeCompact(event)),
      'chartroom.from': sender === undefined ? 'outside' : pathOf(trace, sender),
      'chartroom.state': value === undefined ? undefined : stateText(value),
      'chartroom.status': status,
      'chartroom.stimulus': cause,
      'chartroom.by': by,
    }),
    traceId: ids.trace,
    spanId: ids.actor(actor),
  }
}
