// A run as OpenTelemetry data, checked against the messages of the protocol in its JSON encoding.
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { exportTrace } from '../../src/trace/exports/export-trace.ts'
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
