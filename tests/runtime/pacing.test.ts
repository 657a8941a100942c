// Work that is done again and again, or once for many requests.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { repeat, throttle } from '../../src/services/runtime/index.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

test('repeated work runs each time, until it is stopped', () => {
  const run = vi.fn<() => void>()
  const stop = repeat(run, 50)
  vi.advanceTimersByTime(149)
  expect(run).toHaveBeenCalledTimes(2)
  stop()
  vi.advanceTimersByTime(1_000)
  expect(run).toHaveBeenCalledTimes(2)
})

test('requests within the time run once, at its end; later ones again, after the time of then', () => {
  const run = vi.fn<() => void>()
  let wait = 60
  const { ask } = throttle(run, () => wait)
  ask()
  vi.advanceTimersByTime(59)
  ask()
  expect(run).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(run).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1_000)
  wait = 100
  ask()
  vi.advanceTimersByTime(99)
  expect(run).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  expect(run).toHaveBeenCalledTimes(2)
})

test('what runs at once is not run again for earlier requests; canceled ones are forgotten', () => {
  const run = vi.fn<() => void>()
  const { ask, now, cancel } = throttle(run, () => 60)
  ask()
  now()
  vi.advanceTimersByTime(1_000)
  expect(run).toHaveBeenCalledTimes(1)
  ask()
  cancel()
  vi.advanceTimersByTime(1_000)
  expect(run).toHaveBeenCalledTimes(1)
})

test('a request during its run is for the next one', () => {
  const run = vi.fn<() => void>(() => {
    if (run.mock.calls.length < 3) paced.ask()
  })
  const paced = throttle(run, () => 60)
  paced.ask()
  vi.advanceTimersByTime(179)
  expect(run).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(1)
  expect(run).toHaveBeenCalledTimes(3)
})
