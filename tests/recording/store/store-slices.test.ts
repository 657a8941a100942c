// Thousands of new records are encoded in several tasks, and sent once and completely.
import { createMachine } from 'xstate'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { record } from '../../../src/services/recording/index.ts'
import { Follower } from '../../../src/services/recording/store/follow.ts'
import type { WriterOrder } from '../../../src/services/recording/store/store-messages.ts'
import { createLineEncoder } from '../../../src/trace/write/encode.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const EVENTS = 1000
const FLUSH_AFTER = 150

function followed() {
  const recording = record(createMachine({ id: 'client', on: { '*': {} } }))
  recording.start()
  const sent: WriterOrder[][] = []
  const onFailure = vi.fn<(error: unknown) => void>()
  const send = (orders: readonly WriterOrder[]) => {
    sent.push([...orders])
    return Promise.resolve()
  }
  let turns = 0
  const pause = () => {
    turns += 1
    return new Promise<void>(resolve => void setTimeout(resolve, 4))
  }
  const follower = new Follower(recording, { send, id: () => 'one', writer: 'tests', onFailure, pause })
  const add = (count: number) => {
    for (let n = 0; n < count; n++) recording.actor.send({ type: 'ping', n })
  }
  const textOf = (orders: readonly WriterOrder[]) =>
    orders.map(order => (order.kind === 'append' ? order.text : '')).join('')
  return {
    recording,
    follower,
    sent,
    add,
    onFailure,
    turns: () => turns,
    all: () => sent.map(textOf).join(''),
    whole: () => `${createLineEncoder(recording.trace).next().join('\n')}\n`,
  }
}

/** Runs the timers until nothing is sent any more. */
async function settle(): Promise<void> {
  for (let n = 0; n < 60; n++) await vi.advanceTimersByTimeAsync(FLUSH_AFTER)
}

test('they are sent in one message, after several tasks', async () => {
  const { sent, add, all, whole, follower, turns } = followed()
  await settle()
  const before = { sent: sent.length, turns: turns() }
  add(EVENTS)
  await settle()
  expect(sent).toHaveLength(before.sent + 1)
  expect(turns() - before.turns).toBeGreaterThan(EVENTS / 20)
  expect(all()).toBe(whole())
  await follower.stop()
})

test('a flush or a stop between these tasks sends all, once', async () => {
  for (const act of ['flush', 'stop'] as const) {
    const { add, all, whole, follower, onFailure } = followed()
    await settle()
    add(EVENTS)
    await vi.advanceTimersByTimeAsync(FLUSH_AFTER + 20)
    expect(all()).not.toBe(whole())
    add(7)
    await follower[act]()
    expect(all()).toBe(whole())
    await settle()
    expect(all()).toBe(whole())
    expect(onFailure).not.toHaveBeenCalled()
  }
})

test('records that come faster than they are encoded are sent all the same', async () => {
  const { recording, sent, add, all, whole } = followed()
  await settle()
  const before = sent.length
  add(EVENTS)
  for (let n = 0; n < 300; n++) {
    await vi.advanceTimersByTimeAsync(5)
    add(20)
  }
  expect(sent.length).toBeGreaterThan(before)
  await settle()
  expect(all()).toBe(whole())
  recording.stop()
})
