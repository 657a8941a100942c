// A store engine in a worker: requests are answered, also when the worker refuses, fails or is gone.
import { describe, expect, test } from 'vitest'
import { StoreEngine } from '../../../src/services/recording/store/store-engine.ts'
import {
  createWorkerStoreEngine,
  serveStoreEngine,
  type Question,
} from '../../../src/services/recording/store/worker-store-engine.ts'
import type { StoreStatus } from '../../../src/services/recording/index.ts'
import { createMemoryStorage } from '../../harness/memory-storage.ts'

/** The worker's end in this thread; messages are copied, as between threads. */
class NearWorker extends EventTarget {
  isTerminated = false
  isDeaf = false
  readonly #serve: (question: Question) => void
  constructor(create: Parameters<typeof serveStoreEngine>[0]) {
    super()
    this.#serve = serveStoreEngine(create, answer =>
      this.dispatchEvent(new MessageEvent('message', { data: structuredClone(answer) })),
    )
  }
  postMessage(question: Question): void {
    const copy = structuredClone(question)
    if (!this.isTerminated && !this.isDeaf) queueMicrotask(() => this.#serve(copy))
  }
  terminate(): void {
    this.isTerminated = true
  }
}

const storage = createMemoryStorage()
const works: Parameters<typeof serveStoreEngine>[0] = (_options, onStatus) =>
  Promise.resolve(new StoreEngine({ storage, retention: {}, now: () => 0, onStatus }))

function remote(create = works) {
  const worker = new NearWorker(create)
  const reported: StoreStatus[] = []
  let ticks = 0
  const engine = createWorkerStoreEngine(
    worker as unknown as Worker,
    { database: 'x', retention: {} },
    { onStatus: status => void reported.push(status), onTick: () => void (ticks += 1) },
  )
  return { worker, engine, reported, ticks: () => ticks }
}

test('orders, queries and the status are passed between the threads', async () => {
  const { engine, reported, worker } = remote()
  const there = await engine
  await there.write([
    { kind: 'begin', id: 'a', system: 'fleet', startedAt: '1970-01-01T00:00:00.000Z', writer: 'tab' },
    { kind: 'segment', id: 'a', number: 0, at: 0, isRestorable: true, startedAt: '' },
    {
      kind: 'append',
      id: 'a',
      text: 'line\n',
      stimuli: 1,
      steps: 2,
      failures: 1,
      user: 'mate',
      until: 3,
    },
  ])
  expect(await there.list()).toMatchObject([
    { id: 'a', stimuli: 1, steps: 2, failures: 1, user: 'mate', name: '', state: 'running' },
  ])
  expect(reported).toEqual([{ state: 'writing', bytes: 5, quota: 200_000_000 }])
  expect((await there.open('a'))?.type).toBe('application/gzip')
  await there.keep('a', true)
  await there.rename('a', 'Before the fix')
  expect(await there.list()).toMatchObject([{ id: 'a', kept: true, name: 'Before the fix' }])
  await there.close()
  expect(worker.isTerminated).toBe(true)
})

test('it ticks when requested, until stopped', async () => {
  const { engine, ticks } = remote()
  const there = await engine
  there.tick(1)
  await expect.poll(ticks).toBeGreaterThan(2)
  there.tick(undefined)
  await there.list()
  const before = ticks()
  await new Promise(resolve => setTimeout(resolve, 5))
  expect(ticks()).toBe(before)
})

describe('a worker', () => {
  test('that has no database reports it and is terminated', async () => {
    const { engine, worker } = remote(() => Promise.reject(new DOMException('not here', 'SecurityError')))
    await expect(engine).rejects.toThrow('SecurityError: not here')
    expect(worker.isTerminated).toBe(true)
  })

  test('that could not be loaded is an error', async () => {
    const { engine, worker } = remote(() => new Promise(() => undefined))
    worker.dispatchEvent(Object.assign(new Event('error'), { message: '' }))
    await expect(engine).rejects.toThrow('the storage worker could not be started')
  })

  test('that is gone leaves no query unanswered', async () => {
    const { engine, worker } = remote()
    const there = await engine
    worker.isDeaf = true
    const asked = there.list()
    worker.dispatchEvent(Object.assign(new Event('error'), { message: 'out of memory' }))
    await expect(asked).rejects.toThrow('out of memory')
    await expect(there.list()).rejects.toThrow('out of memory')
  })
})
