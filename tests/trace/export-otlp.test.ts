// A run as OpenTelemetry data, checked against the messages of the protocol in its JSON encoding.
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { exportTrace, readTraceContext, traceparentOf } from '../../src/trace/index.ts'
import { oddTrace, stormyTrace } from '../harness/exported-runs.ts'
import { LOGS_DATA, TRACES_DATA } from '../harness/schemas/otlp.ts'

type Trace = Parameters<typeof exportTrace>[0]

const ajv = new Ajv({ allErrors: true })
const [isTraces, isLogs] = [ajv.compile(TRACES_DATA), ajv.compile(LOGS_DATA)]

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  readonly status?: { readonly code: number; readonly message?: string }
}

interface Log {
  readonly timeUnixNano: string
  readonly traceId: string
  readonly spanId: string
  readonly body: { readonly stringValue: string }
  readonly attributes: readonly Attribute[]
}

function read(trace: Trace): { spans: readonly Span[]; logs: readonly Log[] } {
  const lines = exportTrace(trace, 'otlp').split('\n')
  expect([lines.length, lines[2]]).toEqual([3, ''])
  const [traces, logs] = lines.slice(0, 2).map(line => JSON.parse(line) as unknown)
  expect([isTraces(traces), isTraces.errors]).toEqual([true, null])
  expect([isLogs(logs), isLogs.errors]).toEqual([true, null])
  const { resourceSpans } = traces as { resourceSpans: [{ scopeSpans: [{ spans: readonly Span[] }] }] }
  const { resourceLogs } = logs as { resourceLogs: [{ scopeLogs: [{ logRecords: readonly Log[] }] }] }
  return { spans: resourceSpans[0].scopeSpans[0].spans, logs: resourceLogs[0].scopeLogs[0].logRecords }
}

const plain = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

test('a span for each actor and each request below its parent, a log record for each step', () => {
  const trace = stormyTrace()
  const { spans, logs } = read(trace)
  expect(exportTrace(stormyTrace(), 'otlp')).toBe(exportTrace(trace, 'otlp'))
  const byId = new Map(spans.map(span => [span.spanId, span]))
  expect(byId.size).toBe(spans.length)
  expect(new Set([...spans, ...logs].map(({ traceId }) => traceId)).size).toBe(1)
  expect(spans.filter(({ parentSpanId }) => !byId.has(parentSpanId ?? '')).map(({ name }) => name)).toEqual([
    trace.header.system,
  ])
  const network = spans.filter(({ kind }) => kind === 3)
  expect(spans).toHaveLength(1 + trace.actors.length + network.length)
  const backwards = spans.filter(span => BigInt(span.endTimeUnixNano) < BigInt(span.startTimeUnixNano))
  expect(backwards).toEqual([])
  const [first] = network.map(({ attributes, parentSpanId, ...span }) => ({
    ...span,
    parent: byId.get(parentSpanId ?? '')?.name,
    ...plain(attributes),
  }))
  expect(first).toEqual({
    traceId: expect.any(String) as string,
    spanId: expect.any(String) as string,
    name: 'POST',
    kind: 3,
    startTimeUnixNano: '1767225600215000000',
    endTimeUnixNano: '1767225600427000000',
    status: { code: 2 },
    parent: expect.stringMatching(/\/send/) as string,
    'http.request.method': 'POST',
    'url.path': '/rest/v1/x',
    'http.response.status_code': '404',
    'error.type': '404',
  })
  expect(logs).toHaveLength(trace.steps.length)
  expect(logs.filter(({ spanId }) => !byId.has(spanId))).toEqual([])
  expect(plain(logs[0]?.attributes ?? [])).toMatchObject({
    'chartroom.step': '0',
    'chartroom.from': 'outside',
  })
})

test('names with punctuation and broken texts stay valid; a signal is one message', async () => {
  const trace = await oddTrace()
  const { spans } = read(trace)
  expect(spans.map(({ name }) => name)).toContain(trace.actors[0]?.path)
  const broken = { ...trace, header: { ...trace.header, system: 'half \ud800', startedAt: 'never' } }
  const text = exportTrace(broken, 'otlp')
  expect(text).not.toMatch(/\\ud800/)
  expect(read(broken).spans[0]).toMatchObject({ name: 'half \ufffd', startTimeUnixNano: '0' })
  const [traces, logs] = text.split(/(?<=\n)/)
  expect(exportTrace(broken, 'otlp', { signal: 'traces' })).toBe(traces)
  expect(exportTrace(broken, 'otlp', { signal: 'logs' })).toBe(logs)
})

test('a run belongs to the span of another tool, of the recording or of the option', () => {
  const trace = stormyTrace()
  const inTrace = (traceId: string, spanId: string, ...args: Parameters<typeof exportTrace>) => {
    const [traces, logs] = exportTrace(...args)
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as unknown)
    expect([isTraces(traces), isTraces.errors, isLogs(logs), isLogs.errors]).toEqual([true, null, true, null])
    const { spans } = read({
      ...args[0],
      header: { ...args[0].header, traceparent: `00-${traceId}-${spanId}-01` },
    })
    const outside = spans.filter(span => !spans.some(other => other.spanId === span.parentSpanId))
    expect(outside.map(span => [span.name, span.parentSpanId])).toEqual([[trace.header.system, spanId]])
    expect(JSON.stringify(traces).match(new RegExp(`"traceId":"${traceId}"`, 'g'))).toHaveLength(spans.length)
    expect(JSON.stringify(logs)).toContain(`"traceId":"${traceId}"`)
  }
  const [first, second] = ['0af7651916cd43dd8448eb211c80319c', '4bf92f3577b34da6a3ce929d0e0e4736'] as const
  const recorded = { ...trace, header: { ...trace.header, traceparent: `00-${first}-b7ad6b7169203331-01` } }
  inTrace(first, 'b7ad6b7169203331', recorded, 'otlp')
  inTrace(second, '00f067aa0ba902b7', recorded, 'otlp', { traceparent: `${second}-00f067aa0ba902b7-0` })
  expect(() => exportTrace(trace, 'otlp', { traceparent: 'x' })).toThrow(
    '"x" is no trace context; pass the value of a traceparent or sentry-trace header',
  )
})

test('trace contexts of W3C and Sentry are read, others are none', () => {
  const context = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
  const { traceId, spanId } = context
  for (const text of [
    `00-${traceId}-${spanId}-01`,
    `cc-${traceId}-${spanId}-00-what`,
    `${traceId}-${spanId}`,
  ])
    expect(readTraceContext(text)).toEqual(context)
  expect(traceparentOf(context)).toBe(`00-${traceId}-${spanId}-01`)
  for (const text of [
    '',
    traceId,
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `${traceId}-${spanId}-2`,
  ])
    expect(readTraceContext(text)).toBeUndefined()
})

test('the messages reject what receivers would misread', () => {
  const [line = ''] = exportTrace(stormyTrace(), 'otlp', { signal: 'traces' }).split('\n')
  for (const [from, to] of [
    ['"spanId"', '"span_id"'],
    ['"kind":3', '"kind":"SPAN_KIND_CLIENT"'],
    [/"startTimeUnixNano":"(\d+)"/, '"startTimeUnixNano":$1'],
    [/"traceId":"(\w)/, '"traceId":"X'],
  ] as const)
    expect(isTraces(JSON.parse(line.replace(from, to)))).toBe(false)
})
