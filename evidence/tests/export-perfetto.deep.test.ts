// Chrome's trace events, opened by the engine behind the Performance panel of Chrome's DevTools.
import { beforeAll, expect, test, vi } from 'vitest'
import { exportTrace } from '../../src/trace/exports/export-trace.ts'
import { levelsOf } from '../../src/trace/exports/run-text.ts'
import { oddTrace, stormyTrace } from '../../tests/harness/exported-runs.ts'

interface Entry {
  readonly name: string
  readonly cat: string
  readonly ts: number
  readonly dur: number
}

/** The part of the engine that is checked. */
interface Engine {
  readonly TraceModel: {
    readonly Model: {
      createWithAllHandlers(): {
        parse(events: unknown): Promise<void>
        parsedTrace(): {
          readonly data: {
            readonly Renderer: {
              readonly processes: Map<
                number,
                { readonly threads: Map<number, { readonly name: string; readonly entries: Entry[] }> }
              >
            }
            readonly Flows: { readonly flows: readonly (readonly Entry[])[] }
          }
        }
      }
    }
  }
}

let engine: Engine

beforeAll(async () => {
  // The engine requires DOMRect.
  vi.stubGlobal('DOMRect', Object)
  engine = (await import('@paulirish/trace_engine')) as unknown as Engine
  return () => vi.unstubAllGlobals()
})

async function opened(text: string) {
  const model = engine.TraceModel.Model.createWithAllHandlers()
  await model.parse((JSON.parse(text) as { traceEvents: unknown }).traceEvents)
  const { Renderer, Flows } = model.parsedTrace().data
  return { tracks: [...(Renderer.processes.get(1)?.threads.values() ?? [])], arrows: Flows.flows }
}

test('a track for each actor: states as slices, with steps, and arrows from cause to effect', async () => {
  const trace = stormyTrace()
  const text = exportTrace(trace, 'perfetto')
  expect(exportTrace(stormyTrace(), 'perfetto')).toBe(text)
  const { tracks, arrows } = await opened(text)
  expect(tracks.map(({ name }) => name)).toEqual(trace.actors.map(({ path }) => path))
  expect(tracks.flatMap(({ entries }) => entries.filter(({ name }) => name === ''))).toEqual([])
  const steps = tracks.flatMap(({ entries }) => entries.filter(({ cat }) => cat === 'event'))
  expect(steps).toHaveLength(trace.steps.length)
  expect(arrows).toHaveLength(trace.steps.filter(({ by }) => by !== undefined).length)

  const request = trace.actors.findIndex(({ src }) => src === 'request')
  const { entries } = tracks[request] as { entries: Entry[] }
  const states = trace.steps.filter(({ actor }) => actor === request).map(({ value }) => levelsOf(value))
  const drawn = entries.filter(({ cat }) => cat === 'state').map(({ name }) => name)
  expect(drawn).toEqual(
    states.flatMap((levels, n) => levels.filter((level, at) => states[n - 1]?.[at] !== level)),
  )
})

test('slices of a track are nested or separate, never crossing', async () => {
  for (const trace of [stormyTrace(7), await oddTrace()]) {
    for (const { name, entries } of (await opened(exportTrace(trace, 'perfetto'))).tracks) {
      const ends: number[] = []
      for (const { ts, dur } of entries) {
        while (ends.length > 0 && (ends.at(-1) ?? 0) <= ts) ends.pop()
        expect([name, ts, (ends.at(-1) ?? Infinity) >= ts + dur]).toEqual([name, ts, true])
        ends.push(ts + dur)
      }
    }
  }
})
