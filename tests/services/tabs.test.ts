// The ports between tabs, on real Web Locks and a real BroadcastChannel; and what becomes of them without those.
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTabsPorts, type TabsOptions } from '../../src/services/tabs/tabs.ts'
import { createVirtualClock } from '../../src/services/virtual-clock.ts'
import { runPort, type PortRun } from '../harness/port-run.ts'

let count = 0

/** A tab; those of one key share a session. */
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

/** What a port said, in words. */
const words = ({ said }: PortRun) =>
  said.map(({ type, by, what }) => [type, by, what].filter(word => word !== undefined).join(' '))

const aKey = () => `tabs-test-${++count}`
const until = async (port: PortRun, ...expected: readonly string[]) => {
  await expect.poll(() => words(port), { timeout: 2_000 }).toEqual(expected)
}

/** An event of the storage, as browsers tell it to other tabs. */
const stored = (key: string | null, newValue: string | null) =>
  Object.assign(new Event('storage'), { key, newValue })

describe('the lock', () => {
  test('one holder at a time; the next in line has it as soon as it is free', async () => {
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

  test('who leaves the line is never served, and holds up nobody', async () => {
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

  test('stolen from a holder that was there before; who is robbed hears of it', async () => {
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

  test('not stolen from one that came to hold it meanwhile', async () => {
    const key = aKey()
    const asked: boolean[] = []
    const holders = ['a', 'b']
    const locks = {
      query: () =>
        Promise.resolve({ held: [{ name: `${key}:refresh`, clientId: holders.shift() ?? '' }], pending: [] }),
      request: (_: string, options: LockOptions) => {
        asked.push(options.steal === true)
        return new Promise(() => undefined)
      },
    } as unknown as NonNullable<TabsOptions['locks']>
    const tab = tabOf(key, { locks })
    tab.lock().stop()
    tab.lock(true)
    await expect.poll(() => asked).toEqual([false])
    holders.push('b')
    tab.lock(true)
    await expect.poll(() => asked).toEqual([false, true])
  })

  test('without locks unavailable; held at once where nobody else could want it', () => {
    expect(words(tabOf(aKey(), { locks: undefined }).lock())).toEqual(['lock.unavailable'])
    expect(words(tabOf(aKey(), { isShared: false }).lock())).toEqual(['lock.held'])
  })

  test('locks that this page may not use are unavailable', async () => {
    const denied = () => Promise.reject(new DOMException('denied', 'SecurityError'))
    const locks = { query: denied, request: denied } as unknown as NonNullable<TabsOptions['locks']>
    await until(tabOf(aKey(), { locks }).lock(), 'lock.unavailable')
    await until(tabOf(aKey(), { locks }).lead(), 'leadership.unavailable')
  })
})

describe('leadership', () => {
  test('one leads; when it goes the next does', async () => {
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

  test('without locks, or with a storage of its own: unavailable', () => {
    expect(words(tabOf(aKey(), { locks: undefined }).lead())).toEqual(['leadership.unavailable'])
    expect(words(tabOf(aKey(), { isShared: false }).lead())).toEqual(['leadership.unavailable'])
  })
})

describe('word between tabs', () => {
  test('what one stores or removes the others hear, and it does not', async () => {
    const key = aKey()
    const [here, there] = [tabOf(key).tabs(), tabOf(key).tabs()]
    here.send({ type: 'tabs.tell', what: 'written' })
    here.send({ type: 'tabs.tell', what: 'removed' })
    await until(there, 'stored.changed otherTab written', 'stored.changed otherTab removed')
    expect(words(here)).toEqual([])
  })

  test('a message of somebody else on this origin is no word', async () => {
    const key = aKey()
    const there = tabOf(key).tabs()
    const stranger = new BroadcastChannel(`${key}:tabs`)
    onTestFinished(() => stranger.close())
    for (const message of ['deleted', { what: 'removed' }, null, 'written']) stranger.postMessage(message)
    await until(there, 'stored.changed otherTab written')
  })

  test('no channel: the storage itself says what was done', () => {
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

  test('the official client, which talks on a channel of the key, hears nothing of it', async () => {
    const key = aKey()
    const heard: unknown[] = []
    const official = new BroadcastChannel(key)
    onTestFinished(() => official.close())
    official.addEventListener('message', ({ data }) => heard.push(data))
    const [here, there] = [tabOf(key).tabs(), tabOf(key).tabs()]
    here.send({ type: 'tabs.tell', what: 'written' })
    await until(there, 'stored.changed otherTab written')
    expect(heard).toEqual([])
  })

  test('a page that has the constructor and may not use it goes without', () => {
    const Denied = function () {
      throw new DOMException('denied', 'SecurityError')
    }
    const { window, tabs } = tabOf(aKey(), { BroadcastChannel: Denied as never })
    expect(words(tabs())).toEqual([])
    expect(window).toBeDefined()
  })

  test('stopped: deaf', async () => {
    const key = aKey()
    const there = tabOf(key)
    const port = there.tabs()
    port.stop()
    const witness = tabOf(key).tabs()
    tabOf(key).tabs().send({ type: 'tabs.tell', what: 'written' })
    there.window.dispatchEvent(stored(null, null))
    there.clock.advance(1_000)
    await until(witness, 'stored.changed otherTab written')
    expect(words(port)).toEqual([])
  })
})
