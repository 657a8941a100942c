// The other end of a link: when it counts as there, as gone, and as back.
import { expect, test } from 'vitest'
import { createActor, fromCallback } from 'xstate'
import { type Beat, peerMachine, type PeerEvent, type ServeInput } from '../../src/machines/console/peer.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

function start() {
  const clock = createVirtualClock()
  const journal: string[] = []
  const serve = fromCallback<Beat, ServeInput>(({ input, receive }) => {
    journal.push(input.isBack ? 'serves again' : 'serves')
    receive(({ type }) => journal.push(type))
    return () => void journal.push('ends')
  })
  const actor = createActor(peerMachine.provide({ actors: { serve } }), { clock }).start()
  const say = (what: 'greeted' | 'heard' | 'left') => actor.send({ type: `peer.${what}` } satisfies PeerEvent)
  const isThere = () => actor.getSnapshot().matches('there')
  return {
    clock,
    actor,
    say,
    isThere,
    value: () => actor.getSnapshot().value,
    taken: () => journal.splice(0),
  }
}

test('it is served from its greeting until it leaves, and not for anything else that it says', () => {
  const { clock, say, taken } = start()
  say('heard')
  say('left')
  expect([taken(), clock.pending()]).toEqual([[], 0])
  say('greeted')
  say('left')
  say('heard')
  expect([taken(), clock.pending()]).toEqual([['serves', 'ends'], 0])
})

test('it is there for as long as it answers some of the beats', () => {
  const { clock, say, isThere, taken } = start()
  say('greeted')
  for (let round = 0; round < 20; round += 1) {
    clock.advance(5_000)
    say('heard')
  }
  expect(isThere()).toBe(true)
  expect(taken()).toEqual(['serves', ...Array.from({ length: 100 }, () => 'beat')])
})

test('words do not delay the beats, of which the other end may need each', () => {
  const { clock, say, taken } = start()
  say('greeted')
  for (let round = 0; round < 40; round += 1) {
    clock.advance(100)
    say(round % 2 === 0 ? 'heard' : 'greeted')
  }
  expect(taken()).toEqual(['serves', 'beat', 'beat', 'beat', 'beat'])
})

test('it is gone after six beats without a word, and nothing runs for it', () => {
  const { clock, say, value, taken } = start()
  say('greeted')
  clock.advance(5_999)
  expect(value()).toEqual({ there: 'beating' })
  clock.advance(1)
  expect([value(), taken()]).toEqual(['silent', ['serves', 'beat', 'beat', 'beat', 'beat', 'beat', 'ends']])
  expect(clock.pending()).toBe(0)
})

test.each([
  ['heard', 'serves again'],
  ['greeted', 'serves'],
] as const)('after a silence, if it is %s, the port %s', (what, expected) => {
  const { clock, say, taken } = start()
  say('greeted')
  clock.advance(10_000)
  taken()
  say(what)
  expect(taken()).toEqual([expected])
  clock.advance(5_000)
  expect(taken()).toHaveLength(5)
})

test('one that left during its silence has to greet', () => {
  const { clock, say, value, taken } = start()
  say('greeted')
  clock.advance(10_000)
  taken()
  say('left')
  say('heard')
  expect([value(), taken()]).toEqual(['away', []])
})
