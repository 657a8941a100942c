// The virtual clock: chained delays, order, canceling, and promises between deadlines.
import { createActor, createMachine } from 'xstate'
import { expect, test } from 'vitest'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

test('runs delays in the order of their deadlines, and equal ones in the order of setting', () => {
  const clock = createVirtualClock()
  const ran: [string, number][] = []
  const note = (name: string) => () => void ran.push([name, clock.now()])
  clock.setTimeout(note('b'), 20)
  clock.setTimeout(note('a'), 10)
  clock.setTimeout(note('c'), 20)
  clock.clearTimeout(clock.setTimeout(note('never'), 15))
  clock.setTimeout(note('later'), 31)
  clock.advance(30)
  expect(ran).toEqual([
    ['a', 10],
    ['b', 20],
    ['c', 20],
  ])
  expect(clock.now()).toBe(30)
  expect(clock.pending()).toBe(1)
  expect(clock.wall()).toEqual(new Date('2026-01-01T00:00:00.030Z'))
})

test('runs delays that earlier ones set, within one advance', () => {
  const clock = createVirtualClock()
  const machine = createMachine({
    initial: 'a',
    states: { a: { after: { 10: 'b' } }, b: { after: { 10: 'c' } }, c: {} },
  })
  const actor = createActor(machine, { clock }).start()
  clock.advance(19)
  expect(actor.getSnapshot().value).toBe('b')
  clock.advance(1)
  expect(actor.getSnapshot().value).toBe('c')
})

test('lets promises settle between deadlines', async () => {
  const clock = createVirtualClock()
  const ran: string[] = []
  const later = async (name: string, turns: number) => {
    for (let left = turns; left > 0; left--) await Promise.resolve()
    ran.push(name)
    clock.setTimeout(() => ran.push(`${name} at ${clock.now()}`), 5)
  }
  clock.setTimeout(() => void later('first', 50), 10)
  clock.setTimeout(() => ran.push('second'), 12)
  await clock.advanceAsync(20)
  expect(ran).toEqual(['first', 'second', 'first at 15'])
})
