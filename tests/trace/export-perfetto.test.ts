// Chrome's trace events; evidence/tests opens them with the engine behind the Performance panel of Chrome's DevTools.
import { expect, test } from 'vitest'
import { exportTrace } from '../../src/trace/index.ts'
import { oddTrace, stormyTrace } from '../harness/exported-runs.ts'

interface Drawn {
  readonly ph: string
  readonly cat?: string
  readonly name: string
  readonly tid: number
  readonly ts: number
  readonly dur: number
  readonly id?: string | number
}

const drawnOf = (trace: Parameters<typeof exportTrace>[0]) =>
  (JSON.parse(exportTrace(trace, 'perfetto')) as { readonly traceEvents: readonly Drawn[] }).traceEvents

/** The keys of a state without regions, outer first. */
function keysOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Object.entries((value ?? {}) as object).flatMap(([key, inner]) => [key, ...keysOf(inner)])
}

test('a request has a slice for each state that it enters, an event for each step, and arrows', () => {
  const trace = stormyTrace()
  const drawn = drawnOf(trace)
  expect(drawn.filter(({ ph, cat }) => ph === 'X' && cat === 'event')).toHaveLength(trace.steps.length)
  const caused = trace.steps.filter(({ by }) => by !== undefined).length
  expect(['s', 'f'].map(kind => drawn.filter(({ ph }) => ph === kind).length)).toEqual([caused, caused])
  const requests = trace.actors.flatMap(({ src }, index) => (src === 'request' ? [index] : []))
  expect(requests.length).toBeGreaterThan(3)
  for (const index of requests) {
    const states = trace.steps.filter(({ actor }) => actor === index).map(({ value }) => keysOf(value))
    const slices = drawn.filter(({ tid, cat }) => tid === index + 1 && cat === 'state')
    // What the step before was in goes on, down to the first difference.
    const entered = states.flatMap((keys, n) => {
      const before = states[n - 1] ?? []
      const same = keys.findIndex((key, depth) => before[depth] !== key)
      return same === -1 ? [] : keys.slice(same)
    })
    expect(slices.map(({ name }) => name)).toEqual(entered)
  }
})

test('slices of a track are nested or separate, never crossing, and none is without time', async () => {
  for (const trace of [stormyTrace(7), await oddTrace()]) {
    const tracks = Map.groupBy(
      drawnOf(trace).filter(({ ph, cat }) => ph === 'X' && cat === 'state'),
      ({ tid }) => tid,
    )
    for (const slices of tracks.values()) {
      const ends: number[] = []
      for (const { ts, dur } of slices.toSorted((a, b) => a.ts - b.ts || b.dur - a.dur)) {
        while (ends.length > 0 && (ends.at(-1) ?? 0) <= ts) ends.pop()
        expect(dur).toBeGreaterThan(0)
        expect(ts + dur).toBeLessThanOrEqual(ends.at(-1) ?? Infinity)
        ends.push(ts + dur)
      }
    }
  }
})

test('requests and sockets have their own tracks', () => {
  const { traceEvents } = JSON.parse(exportTrace(stormyTrace(), 'perfetto')) as {
    traceEvents: readonly { ph: string; cat?: string; name: string; id?: string }[]
  }
  const network = traceEvents.filter(({ cat }) => cat === 'network')
  const begun = network.filter(({ ph }) => ph === 'b').map(({ id }) => id)
  expect(network.filter(({ ph }) => ph === 'e').map(({ id }) => id)).toEqual(begun)
  expect(new Set(network.map(({ name }) => name))).toContain('socket')
})
