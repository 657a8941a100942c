// The connection to a source of other apps: its waits, and what counts as connected.
import { expect, test } from 'vitest'
import { createActor, fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import { sourceConnectionMachine, type SourceEvent } from '../../src/machines/console/source-connection.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

function start() {
  const clock = createVirtualClock()
  const journal: string[] = []
  let say: (event: SourceEvent) => void = () => expect.unreachable()
  const connectSource = fromCallback<EventObject, NonReducibleUnknown, SourceEvent>(({ sendBack }) => {
    journal.push(`connects at ${clock.now()}`)
    say = sendBack
    return () => void journal.push('closes')
  })
  const machine = sourceConnectionMachine.provide({ actors: { connectSource } })
  const actor = createActor(machine, { clock }).start()
  return {
    clock,
    actor,
    journal,
    value: () => actor.getSnapshot().value,
    opened: () => say({ type: 'source.opened' }),
    lost: () => say({ type: 'source.lost' }),
  }
}

test('it waits twice as long after each failure, 5 s at most', () => {
  const { clock, journal, lost, value } = start()
  for (const wait of [500, 1_000, 2_000, 4_000, 5_000, 5_000]) {
    lost()
    expect(value()).toBe('waiting')
    clock.advance(wait - 1)
    expect(value()).toBe('waiting')
    clock.advance(1)
    expect(value()).toEqual({ connected: 'opening' })
  }
  expect(journal.filter(line => line !== 'closes')).toHaveLength(7)
})

test('a connection that opened is replaced after half a second', () => {
  const { clock, lost, opened, value } = start()
  for (const wait of [500, 1_000, 2_000]) {
    lost()
    clock.advance(wait)
  }
  opened()
  expect(value()).toEqual({ connected: 'open' })
  lost()
  clock.advance(500)
  expect(value()).toEqual({ connected: 'opening' })
})

test('each connection ends before the next, and the last with the machine', () => {
  const { clock, actor, journal, lost } = start()
  lost()
  clock.advance(500)
  actor.stop()
  expect(journal).toEqual(['connects at 0', 'closes', 'connects at 500', 'closes'])
  const waiting = start()
  waiting.lost()
  waiting.actor.stop()
  expect([clock.pending(), waiting.clock.pending()]).toEqual([0, 0])
})
