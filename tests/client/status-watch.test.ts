// The status watch: checks the machines only while it has a listener, and isolates listeners from each other.
import { afterEach, expect, test, vi } from 'vitest'
import { createActor } from 'xstate'
import { clientMachine, DEFAULT_TIMINGS as timings } from '../../src/machines/index.ts'
import { createStatusWatch } from '../../src/services/client/client-core.ts'

afterEach(() => vi.unstubAllGlobals())

/** A watch over machines that never start: their status changes once, as if they were stopped. */
function watched() {
  const actor = createActor(clientMachine, { input: { timings, seed: 1 } })
  const looks = new Set<() => void>()
  let version = 0
  const steps = {
    version: () => version,
    subscribe(look: () => void) {
      looks.add(look)
      return () => void looks.delete(look)
    },
  }
  const watch = createStatusWatch({ actor, steps }, () => undefined)
  const stop = () => {
    vi.spyOn(actor, 'getSnapshot').mockReturnValue({ ...actor.getSnapshot(), status: 'stopped' } as never)
    version += 1
    for (const look of looks) look()
  }
  return { ...watch, looks, stop }
}

test('without a listener steps are not checked', () => {
  const { add, looks } = watched()
  expect(looks.size).toBe(0)
  const leave = [add(() => undefined), add(() => undefined)]
  expect(looks.size).toBe(1)
  leave[0]?.()
  expect(looks.size).toBe(1)
  leave[1]?.()
  expect(looks.size).toBe(0)
})

test('a listener that throws does not affect the others, and an unsubscribed one receives nothing', () => {
  const tasks: (() => void)[] = []
  vi.stubGlobal('queueMicrotask', (task: () => void) => tasks.push(task))
  const { add, stop } = watched()
  const reported: string[] = []
  add(() => {
    throw new Error('of the app')
  })
  const leave = add(() => reported.push('left'))
  add(({ session }) => reported.push(session.phase))
  stop()
  leave()
  const [first, ...others] = tasks
  expect(first).toThrow('of the app')
  for (const task of others) task()
  expect(reported).toEqual(['disposed'])
})

test('the same function may subscribe twice, and unsubscribes once each time', async () => {
  const { add, stop } = watched()
  const listener = vi.fn<() => void>()
  add(listener)
  add(listener)()
  stop()
  await Promise.resolve()
  expect(listener).toHaveBeenCalledTimes(1)
})
