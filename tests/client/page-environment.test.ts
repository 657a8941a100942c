// What the page reports about its state, how the clock detects sleep, and a monotonic clock that includes
// sleep.
import { describe, expect, test } from 'vitest'
import { createClock, type PageEvents } from '../../src/services/runtime/index.ts'
import {
  createEnvironmentPort,
  pageEnvironment,
  createTickerPort,
} from '../../src/services/client/environment.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { runPort } from '../harness/port-run.ts'

/** A page whose state a test sets. */
function page() {
  const navigator = { onLine: true }
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const window = new EventTarget()
  const parts = { document, window }
  return {
    navigator,
    document,
    window,
    fire: (target: keyof typeof parts, type: string) => parts[target].dispatchEvent(new Event(type)),
  }
}

const normal = { type: 'environment.changed', online: true, visible: true, frozen: false }

describe('environment', () => {
  test('reported at once, then on each change, without duplicates', () => {
    const { fire, ...parts } = page()
    const { events } = runPort(createEnvironmentPort(pageEnvironment(parts), createVirtualClock()))
    expect(events).toEqual([normal])
    fire('window', 'online')
    parts.document.visibilityState = 'hidden'
    fire('document', 'visibilitychange')
    parts.navigator.onLine = false
    fire('window', 'offline')
    expect(events.slice(1)).toEqual([
      { ...normal, visible: false },
      { ...normal, visible: false, online: false },
    ])
  })

  test.each([
    ['document', 'freeze', 'document', 'resume'],
    ['window', 'pagehide', 'window', 'pageshow'],
    ['window', 'pagehide', 'document', 'resume'],
  ] as const)('frozen between %s %s and %s %s', (from, begin, to, end) => {
    const { fire, ...parts } = page()
    const { events } = runPort(createEnvironmentPort(pageEnvironment(parts), createVirtualClock()))
    fire(from, begin)
    fire(to, end)
    expect(events).toEqual([normal, { ...normal, frozen: true }, normal])
  })

  test('the freeze event is handled synchronously, so that locks are released in time', () => {
    const { fire, ...parts } = page()
    const { events } = runPort(createEnvironmentPort(pageEnvironment(parts), createVirtualClock()))
    let received: unknown
    parts.document.addEventListener('freeze', () => (received = events.at(-1)))
    fire('document', 'freeze')
    expect(received).toEqual({ ...normal, frozen: true })
  })

  test('without a page: online, visible and running', () => {
    const { events } = runPort(createEnvironmentPort(pageEnvironment({} as PageEvents), createVirtualClock()))
    expect(events).toEqual([normal])
  })
})

describe('sleep', () => {
  /** A clock that sleeps: time passes, and no timer fires. */
  const sleeper = () => {
    const virtual = createVirtualClock()
    let asleep = 0
    return {
      clock: { ...virtual, now: () => virtual.now() + asleep },
      awake: virtual.advance,
      sleep: (ms: number) => void (asleep += ms),
    }
  }

  test('waking is reported at the next check, with the length of the sleep', () => {
    const { clock, awake, sleep } = sleeper()
    const { events } = runPort(createEnvironmentPort(pageEnvironment({} as PageEvents), clock))
    awake(35_000)
    sleep(3_600_000)
    awake(5_000)
    expect(events.slice(1)).toEqual([{ type: 'environment.woke', slept: 3_610_000, at: 3_640_000 }])
    awake(600_000)
    expect(events).toHaveLength(2)
  })

  test('waking is reported before a change of the page that no timer preceded', () => {
    const { clock, awake, sleep } = sleeper()
    const { fire, ...parts } = page()
    const { events } = runPort(createEnvironmentPort(pageEnvironment(parts), clock))
    awake(5_000)
    fire('document', 'freeze')
    sleep(3_600_000)
    fire('document', 'resume')
    expect(events.slice(2)).toEqual([{ type: 'environment.woke', slept: 3_600_000, at: 3_605_000 }, normal])
  })

  test('timers that a hidden page runs only once a minute do not count as sleep', () => {
    const { clock, awake, sleep } = sleeper()
    const { events } = runPort(createEnvironmentPort(pageEnvironment({} as PageEvents), clock))
    for (let n = 0; n < 10; n++) {
      sleep(50_000)
      awake(10_000)
    }
    expect(events).toEqual([normal])
  })
})

describe('the clock', () => {
  const clocks = () => {
    let [monotonic, wall] = [1_000, 1_700_000_000_000]
    const clock = createClock({ monotonic: () => monotonic, wall: () => wall })
    return {
      clock,
      pass: (ms: number) => void ((monotonic += ms), (wall += ms)),
      set: (ms: number) => void (wall += ms),
    }
  }

  test('includes the sleep, measured by the time of day', () => {
    const { clock, pass, set } = clocks()
    pass(500)
    expect(clock.now()).toBe(1_500)
    set(3_600_000)
    expect(clock.now()).toBe(3_601_500)
    pass(100)
    expect(clock.now()).toBe(3_601_600)
  })

  test('setting the time of day back changes nothing, and later sleep counts again', () => {
    const { clock, set } = clocks()
    set(-7_200_000)
    expect(clock.now()).toBe(1_000)
    set(60_000)
    expect(clock.now()).toBe(61_000)
  })

  test('drift of less than two seconds between two checks is ignored', () => {
    const { clock, set } = clocks()
    set(1_999)
    expect(clock.now()).toBe(1_000)
  })
})

test('the ticker emits the time at once, then at its interval, and stops', () => {
  const clock = createVirtualClock()
  const { events, stop } = runPort(createTickerPort(clock), { every: 30_000 })
  clock.advance(60_000)
  expect(events.map(({ at }) => at as number)).toEqual([0, 30_000, 60_000])
  stop()
  expect(clock.pending()).toBe(0)
})
