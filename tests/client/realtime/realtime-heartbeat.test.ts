// The heartbeat: a steady interval, detected timeouts, and a worker for hidden pages where available.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { startHeartbeat } from '../../../src/services/client/realtime/supabase-socket.ts'
import { createVirtualClock } from '../../../src/testing/virtual-clock.ts'

afterEach(() => vi.unstubAllGlobals())

function beating() {
  const clock = createVirtualClock()
  const log: string[] = []
  const note = (what: string) => () => void log.push(`${what} ${clock.now()}`)
  const heart = startHeartbeat({
    intervalMs: 25_000,
    deadline: 4_000,
    clock,
    ping: note('ping'),
    onSilent: note('silent'),
  })
  return { clock, log, ...heart }
}

describe('a heartbeat', () => {
  test('beats at its interval and takes any message as a response', () => {
    const { clock, log, replied } = beating()
    clock.advance(25_000)
    replied()
    clock.advance(25_000)
    replied()
    clock.advance(5_000)
    expect(log).toEqual(['ping 25000', 'ping 50000'])
  })

  test('detects a missing response 4 s after a beat', () => {
    const { clock, log } = beating()
    clock.advance(30_000)
    expect(log).toEqual(['ping 25000', 'silent 29000'])
  })

  test('leaves no timer', () => {
    const { clock, stop } = beating()
    clock.advance(26_000)
    expect(clock.pending()).toBe(2)
    stop()
    expect(clock.pending()).toBe(0)
  })
})

describe('in a hidden page', () => {
  function page(worker: unknown) {
    const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
    const turn = (visibilityState: 'visible' | 'hidden') => {
      document.visibilityState = visibilityState
      document.dispatchEvent(new Event('visibilitychange'))
    }
    vi.stubGlobal('document', document)
    vi.stubGlobal('Worker', worker)
    return turn
  }

  class FakeWorker extends EventTarget {
    static readonly alive = new Set<FakeWorker>()
    constructor() {
      super()
      FakeWorker.alive.add(this)
    }
    terminate() {
      FakeWorker.alive.delete(this)
    }
  }
  const worker = () => [...FakeWorker.alive][0]

  test('a worker beats where page timers are throttled; both together beat no faster', () => {
    const turn = page(FakeWorker)
    const { clock, log, replied, stop } = beating()
    expect(FakeWorker.alive.size).toBe(0)
    turn('hidden')
    clock.advance(24_000)
    worker()?.dispatchEvent(new Event('message'))
    replied()
    clock.advance(2_000)
    expect(log).toEqual(['ping 24000'])
    turn('visible')
    expect(FakeWorker.alive.size).toBe(0)
    turn('hidden')
    stop()
    turn('visible')
    turn('hidden')
    expect(FakeWorker.alive.size).toBe(0)
  })

  test("the page's timers stay in use when a worker cannot start, at once or later", () => {
    function forbid() {
      throw new DOMException('refused by the policy of the page', 'SecurityError')
    }
    page(forbid)('hidden')
    const first = beating()
    first.clock.advance(25_000)
    first.stop()
    expect(first.log).toEqual(['ping 25000'])
    page(FakeWorker)('hidden')
    const second = beating()
    const refused = new Event('error', { cancelable: true })
    worker()?.dispatchEvent(refused)
    second.clock.advance(25_000)
    second.stop()
    expect([refused.defaultPrevented, FakeWorker.alive.size, second.log]).toEqual([true, 0, ['ping 25000']])
  })
})
