// The ports between tabs, on real Web Locks and a real BroadcastChannel; and their behavior without those.
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTabsPorts, type TabsOptions } from '../../src/services/client/tabs/tabs.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { runPort, type PortRun } from '../harness/port-run.ts'

let count = 0

/** A tab; tabs with the same key share a session. */
function tabOf(key: string, options: Partial<TabsOptions> = {}) {
  const clock = createVirtualClock()
  const window = new EventTarget()
  const { locks } = navigator
  const ports = createTabsPorts({ key, isShared: true, clock, locks, BroadcastChannel, window, ...options })
  return {
    clock,
    window,
    lock: (steal = false) => runPort(ports.lock, { steal }),
    lead: () => runPort(ports.leadership),
    tabs: () => runPort(ports.tabs),
  }
}

/** What a port emitted, as text. */
const words = ({ events }: PortRun) =>
  events.map(({ type, by, what }) => [type, by, what].filter(word => word !== undefined).join(' '))

const aKey = () => `tabs-test-${++count}`
const until = async (port: PortRun, ...expected: readonly string[]) => {
  await expect.poll(() => words(port), { timeout: 2_000 }).toEqual(expected)
}

/** A storage event, as browsers dispatch it to other tabs. */
const stored = (key: string | null, newValue: string | null) =>
  Object.assign(new Event('storage'), { key, newValue })

describe('the lock', () => {
  test('has one holder at a time; the next in the queue gets it once it is free', async () => {
    const key = aKey()
    const first = tabOf(key).lock()
    await until(first, 'lock.held')
    const second = tabOf(key).lock()
    const other = tabOf(aKey()).lock()
    await until(other, 'lock.held')
    expect(words(second)).toEqual([])
    first.stop()
    await until(second, 'lock.held')
  })

  test('is not given to a tab that left the queue, and that tab blocks no other', async () => {
    const key = aKey()
    const first = tabOf(key).lock()
    await until(first, 'lock.held')
    const second = tabOf(key).lock()
    const third = tabOf(key).lock()
    second.stop()
    first.stop()
    await until(third, 'lock.held')
    expect(words(second)).toEqual([])
  })

  test('can be stolen from an earlier holder, which is notified', async () => {
    const key = aKey()
    const hung = tabOf(key).lock()
    await until(hung, 'lock.held')
    const tab = tabOf(key)
    const waiting = tab.lock()
    await expect.poll(async () => (await navigator.locks.query()).pending?.length).toBe(1)
    waiting.stop()
    const thief = tab.lock(true)
    await until(thief, 'lock.held')
    await until(hung, 'lock.held', 'lock.lost')
  })

  test('is not stolen from a tab that became the holder in the meantime', async () => {
    const key = aKey()
    const requests: boolean[] = []
    const holders = ['a', 'b']
    const locks = {
      query: () =>
        Promise.resolve({ held: [{ name: `${key}:refresh`, clientId: holders.shift() ?? '' }], pending: [] }),
      request: (_: string, options: LockOptions) => {
        requests.push(options.steal === true)
        return new Promise(() => undefined)
      },
    } as unknown as NonNullable<TabsOptions['locks']>
    const tab = tabOf(key, { locks })
    tab.lock().stop()
    tab.lock(true)
    await expect.poll(() => requests).toEqual([false])
    holders.push('b')
    tab.lock(true)
    await expect.poll(() => requests).toEqual([false, true])
  })

  test('is unavailable without Web Locks, and held at once where no other tab could want it', () => {
    expect(words(tabOf(aKey(), { locks: undefined }).lock())).toEqual(['lock.unavailable'])
    expect(words(tabOf(aKey(), { isShared: false }).lock())).toEqual(['lock.held'])
  })

  test('is unavailable if this page may not use locks', async () => {
    const denied = () => Promise.reject(new DOMException('denied', 'SecurityError'))
    const locks = { query: denied, request: denied } as unknown as NonNullable<TabsOptions['locks']>
    await until(tabOf(aKey(), { locks }).lock(), 'lock.unavailable')
    await until(tabOf(aKey(), { locks }).lead(), 'leadership.unavailable')
  })
})

describe('leadership', () => {
  test('one tab leads; when it ends the next does', async () => {
    const key = aKey()
    const first = tabOf(key).lead()
    await until(first, 'leadership.gained')
    const second = tabOf(key).lead()
    const third = tabOf(key).lead()
    expect(words(second)).toEqual([])
    first.stop()
    await until(second, 'leadership.gained')
    expect(words(third)).toEqual([])
  })

  test('without locks, or with unshared storage: unavailable', () => {
    expect(words(tabOf(aKey(), { locks: undefined }).lead())).toEqual(['leadership.unavailable'])
    expect(words(tabOf(aKey(), { isShared: false }).lead())).toEqual(['leadership.unavailable'])
  })
})

describe('messages between tabs', () => {
  test('what one tab stores or removes is reported to the others, and not to itself', async () => {
    const key = aKey()
    const [here, there] = [tabOf(key).tabs(), tabOf(key).tabs()]
    here.send({ type: 'tabs.announce', what: 'written' })
    here.send({ type: 'tabs.announce', what: 'removed' })
    await until(there, 'stored.changed otherTab written', 'stored.changed otherTab removed')
    expect(words(here)).toEqual([])
  })

  test('a foreign message on this origin is ignored', async () => {
    const key = aKey()
    const there = tabOf(key).tabs()
    const stranger = new BroadcastChannel(`${key}:tabs`)
    onTestFinished(() => stranger.close())
    for (const message of ['deleted', { what: 'removed' }, null, 'written']) stranger.postMessage(message)
    await until(there, 'stored.changed otherTab written')
  })

  test('without a channel, storage events report the changes', () => {
    const key = aKey()
    const { window, tabs } = tabOf(key, { BroadcastChannel: undefined })
    const port = tabs()
    for (const event of [
      stored('another-key', 'x'),
      stored(key, '{}'),
      stored(key, null),
      stored(null, null),
    ])
      window.dispatchEvent(event)
    expect(words(port)).toEqual([
      'stored.changed otherTab written',
      'stored.changed storage removed',
      'stored.changed storage removed',
    ])
  })

  test('the official client, which uses a channel named after the key, receives none of them', async () => {
    const key = aKey()
    const received: unknown[] = []
    const official = new BroadcastChannel(key)
    onTestFinished(() => official.close())
    official.addEventListener('message', ({ data }) => received.push(data))
    const [here, there] = [tabOf(key).tabs(), tabOf(key).tabs()]
    here.send({ type: 'tabs.announce', what: 'written' })
    await until(there, 'stored.changed otherTab written')
    expect(received).toEqual([])
  })

  test('a page that may not use the existing constructor works without it', () => {
    const Denied = function () {
      throw new DOMException('denied', 'SecurityError')
    }
    const { window, tabs } = tabOf(aKey(), { BroadcastChannel: Denied as never })
    expect(words(tabs())).toEqual([])
    expect(window).toBeDefined()
  })

  test('a stopped tab receives nothing', async () => {
    const key = aKey()
    const there = tabOf(key)
    const port = there.tabs()
    port.stop()
    const observer = tabOf(key).tabs()
    tabOf(key).tabs().send({ type: 'tabs.announce', what: 'written' })
    there.window.dispatchEvent(stored(null, null))
    there.clock.advance(1_000)
    await until(observer, 'stored.changed otherTab written')
    expect(words(port)).toEqual([])
  })
})
