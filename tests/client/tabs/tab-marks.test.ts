// Storage changes reach other tabs later than locks do: a tab that takes the lock waits until it sees what
// was stored before.
import { expect, onTestFinished, test } from 'vitest'
import { createTabsPorts } from '../../../src/services/client/tabs/tabs.ts'
import { createVirtualClock } from '../../../src/testing/virtual-clock.ts'
import { runPort, type PortRun } from '../../harness/port-run.ts'

let count = 0

/** Two tabs; the second sees what the first stores when the test allows it. */
function pair() {
  const key = `marks-test-${++count}`
  const tab = () => {
    const clock = createVirtualClock()
    const seen = { written: 0, stored: 0 }
    const stamps = { written: () => seen.written, stored: async () => seen.stored }
    const ports = createTabsPorts({ key, isShared: true, clock, locks: navigator.locks, stamps })
    const tabs = runPort(ports.tabs)
    onTestFinished(() => tabs.stop())
    return { clock, seen, tabs, lock: () => runPort(ports.lock, { steal: false }) }
  }
  return { first: tab(), second: tab(), marks: async () => marksOf(key) }
}

const marksOf = async (key: string) =>
  ((await navigator.locks.query()).held ?? [])
    .map(({ name = '' }) => name)
    .filter(name => name.startsWith(`${key}:refresh:`))
const isHeld = async ({ events }: PortRun) => {
  await expect.poll(() => events).toEqual([{ type: 'lock.held' }])
}

/** The first tab stores something while it holds the lock. */
async function stored() {
  const tabs = pair()
  const lock = tabs.first.lock()
  await isHeld(lock)
  const next = tabs.second.lock()
  tabs.first.seen.written = 1_700_000_000_123
  lock.stop()
  await expect.poll(tabs.marks).toHaveLength(1)
  await expect.poll(() => tabs.second.clock.pending()).toBe(1)
  return { ...tabs, next }
}

test('the storage lags: the lock is held once the stored change is visible', async () => {
  const { second, next } = await stored()
  expect(next.events).toEqual([])
  second.seen.stored = 1_700_000_000_123
  second.clock.advance(10)
  await isHeld(next)
})

test('the stored change never arrives: the lock is held after a second', async () => {
  const { second, next } = await stored()
  await second.clock.advanceAsync(990)
  expect(next.events).toEqual([])
  await second.clock.advanceAsync(20)
  await isHeld(next)
})

test('marks are removed after three seconds, and at once when the tab sleeps or ends', async () => {
  const { first, marks } = await stored()
  first.clock.advance(3_000)
  await expect.poll(marks).toEqual([])
  const again = await stored()
  again.first.tabs.stop()
  await expect.poll(again.marks).toEqual([])
  expect(again.first.clock.pending()).toBe(0)
})

test('nothing was stored: no mark, and the next tab gets the lock at once', async () => {
  const { first, second, marks } = pair()
  const lock = first.lock()
  await isHeld(lock)
  const next = second.lock()
  lock.stop()
  await isHeld(next)
  expect(await marks()).toEqual([])
})

test('a storage that cannot be read: the lock is held, and nothing is thrown at the page', async () => {
  const { first, second, marks } = pair()
  const lock = first.lock()
  await isHeld(lock)
  first.seen.written = 1_700_000_000_123
  lock.stop()
  await expect.poll(marks).toHaveLength(1)
  Object.defineProperty(second.seen, 'stored', {
    get: () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    },
  })
  const thrown: unknown[] = []
  const onThrown = (error: unknown) => thrown.push(error)
  process.on('unhandledRejection', onThrown)
  onTestFinished(() => void process.off('unhandledRejection', onThrown))
  await isHeld(second.lock())
  await new Promise(resolve => setImmediate(resolve))
  expect(thrown).toEqual([])
})
