// Checking the shown trace: as it grows in memory, and on request if that takes a replay.
import { expect, test, vi } from 'vitest'
import { createMachine } from 'xstate'
import { record } from '../../../../src/services/recording/index.ts'
import type { Assertion, TraceSource } from '../../../../src/trace/index.ts'
import { type ChecksOptions, TraceChecks } from '../../../../src/ui/console/checks/trace-checks.ts'
import { type Standing, watchTrace } from '../../../../src/ui/console/checks/watch-trace.ts'
import { memoryTrace, type ShownTrace } from '../../../../src/ui/console/model/shown-trace.ts'
import { actorEntries, traceSource, stepRecords } from '../../console-trace.ts'

vi.stubGlobal('requestAnimationFrame', (run: () => void) => setImmediate(run))
vi.stubGlobal('cancelAnimationFrame', clearImmediate)

const never: Assertion = { name: 'never shut', check: { never: { state: 'shut' } } }
const actors = actorEntries(['door', 'door'])
const step = (value: string, from: number) => stepRecords([{ actor: 0, type: 'go', value }], from)

/** A source that notifies its listeners when steps are added. */
function growing(header: Partial<TraceSource['header']> = {}) {
  const listeners = new Set<() => void>()
  const source = traceSource({ actors, steps: [...step('open', 0)] })
  const steps = [...source.steps]
  const live: TraceSource = {
    ...source,
    steps,
    header: { ...source.header, ...header },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const add = (value: string) => {
    steps.push(...step(value, steps.length))
    listeners.forEach(listener => listener())
  }
  return { trace: memoryTrace(live), add, listeners }
}

const NO_FILE = {
  download: () => Promise.reject(new Error('There is no file.')),
  systems: () => ({}),
}

function watching(
  trace: ShownTrace,
  assertions: readonly Assertion[],
  source: Pick<ChecksOptions, 'download' | 'systems'> = NO_FILE,
) {
  const ownText = assertions.length === 0 ? '' : JSON.stringify({ assertions })
  const checks = new TraceChecks({ trace, opened: undefined, ownText, ...source })
  return { seen: checks.state, check: checks.check, end: checks.begin() }
}

test('a recording prepared in batches is not read at once', async () => {
  const all = step('open', 0).concat(step('shut', 1))
  const ready: typeof all = []
  const wholes: number[] = []
  const { live, ...plain } = traceSource({ actors, steps: [] })
  const source: TraceSource = {
    ...plain,
    live,
    get steps() {
      wholes.push(ready.length)
      ready.push(...all.slice(ready.length))
      return ready
    },
    batch(most) {
      if (most > 0) ready.push(...all.slice(ready.length, ready.length + 1))
      return { actors, stimuli: [], steps: ready, isWhole: ready.length === all.length, size: all.length }
    },
  }
  const standings: Standing[] = []
  const end = watchTrace(source, [never], false, standing => standings.push(standing))
  await vi.waitFor(() => expect(standings.at(-1)?.results.map(({ failed }) => failed)).toEqual([1]))
  expect(wholes.every(count => count === all.length)).toBe(true)
  end()
})

test('a recording is checked as it grows, until its last observer leaves', async () => {
  const { trace, add, listeners } = growing()
  const { seen, end } = watching(trace, [never])
  await vi.waitFor(() => expect([seen().checking, seen().standing.steps]).toEqual([{ phase: 'watching' }, 1]))
  add('shut')
  await vi.waitFor(() => expect(seen().standing.results.map(({ failed }) => failed)).toEqual([1]))
  expect(seen().standing.results[0]?.failures.map(({ seq, actor }) => [seq, actor])).toEqual([[1, 'door']])
  end()
  await vi.waitFor(() => expect(listeners.size).toBe(0))
})

test('a recording without steps is checked on request, and errors are shown', async () => {
  const { trace } = growing({ steps: false })
  const { seen, check, end } = watching(trace, [never])
  await vi.waitFor(() => expect(seen().checking.phase).toBe('asking'))
  check()
  await vi.waitFor(() => expect(seen().checking).toEqual({ phase: 'failed', message: 'There is no file.' }))
  end()
})

test('a recording without steps is checked by replay if its app provides the machines', async () => {
  const door = createMachine({
    id: 'door',
    initial: 'open',
    states: { open: { on: { go: 'shut' } }, shut: {} },
  })
  const recording = record(door, { steps: false })
  recording.start()
  recording.actor.send({ type: 'go' })
  const download = async () => new Blob([await recording.file()])
  const systems = { [recording.trace.header.system]: door }
  const { seen, check, end } = watching(memoryTrace(recording.trace), [never], {
    download,
    systems: () => systems,
  })
  await vi.waitFor(() => expect(seen().checking.phase).toBe('asking'))
  check()
  await vi.waitFor(() => expect(seen().checking).toEqual({ phase: 'done' }))
  expect(seen().standing.results.map(({ name, failed }) => [name, failed])).toEqual([['never shut', 1]])
  end()
})

test('without assertions there is nothing to do', async () => {
  const { seen, end } = watching(growing().trace, [])
  await vi.waitFor(() => expect(seen().checking).toEqual({ phase: 'done' }))
  expect(seen().standing).toEqual({ results: [], steps: 0, of: 0 })
  end()
})
