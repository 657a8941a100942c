// The tab: leader and followers, the messages between tabs, and what is released in time.
import { describe, expect, test } from 'vitest'
import {
  createActor,
  fromCallback,
  setup,
  sendTo,
  assign,
  type AnyEventObject,
  type EventObject,
} from 'xstate'
import type { EnvironmentEvent, LeadershipEvent, TabsCommand } from '../../src/machines/ports.ts'
import { tabMachine, type TabCommand } from '../../src/machines/tab.ts'
import { DEFAULT_TIMINGS } from '../../src/machines/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { token } from '../harness/scripted-ports.ts'

type Command = TabCommand | EnvironmentEvent

/** A tab under a parent that records its events. */
function tab(
  leading: readonly (readonly [number, LeadershipEvent])[] = [[0, { type: 'leadership.gained' }]],
) {
  const clock = createVirtualClock()
  const journal: string[] = []
  const posted: string[] = []
  let reports: (event: AnyEventObject) => void = () => undefined
  const machine = tabMachine.provide({
    actors: {
      leadership: fromCallback<EventObject, never, LeadershipEvent>(({ sendBack }) => {
        journal.push('stands')
        const timers = leading.map(([after, event]) =>
          after === 0 ? sendBack(event) : clock.setTimeout(() => sendBack(event), after),
        )
        return () => {
          journal.push('stands down')
          for (const timer of timers) clock.clearTimeout(timer)
        }
      }) as never,
      tabs: fromCallback<TabsCommand, never>(({ sendBack, receive }) => {
        receive(({ what }) => posted.push(what))
        reports = event => sendBack(event as never)
        return () => journal.push('deaf')
      }) as never,
    },
  })
  const parent = createActor(
    setup({
      types: {} as { context: { told: readonly AnyEventObject[] } },
      actors: { tab: machine },
    }).createMachine({
      context: { told: [] },
      invoke: { id: 'tab', src: 'tab', input: { timings: DEFAULT_TIMINGS } },
      on: {
        'to.tab': { actions: sendTo('tab', ({ event }) => event['event'] as Command) },
        '*': { actions: assign({ told: ({ context, event }) => [...context.told, event] }) },
      },
    }),
    { clock },
  ).start()
  return {
    clock,
    journal,
    posted,
    deliver: (event: AnyEventObject) => reports(event),
    send: (...events: readonly Command[]) => {
      for (const event of events) parent.send({ type: 'to.tab', event })
    },
    told: () => parent.getSnapshot().context.told,
    roles: () =>
      parent
        .getSnapshot()
        .context.told.flatMap(event => (event.type === 'tab.role' ? [event['role'] as string] : [])),
    value: () => parent.getSnapshot().children['tab']?.getSnapshot().value as unknown,
  }
}

const started = { type: 'session.started', token: token(createVirtualClock()) } as const
const around = (part: { visible?: boolean; frozen?: boolean }): EnvironmentEvent => ({
  type: 'environment.changed',
  online: true,
  visible: true,
  ...part,
})

describe('election', () => {
  test('signed out: does not take part', () => {
    const { journal, roles, value } = tab()
    expect([journal, roles(), value()]).toEqual([[], [], { awake: 'idle' }])
  })

  test('no other tab: electing, then leader at once', () => {
    const { send, roles, value } = tab()
    send(started)
    expect([roles(), value()]).toEqual([['electing', 'leader'], { awake: { competing: 'leader' } }])
  })

  test('another tab leads: follower after half a second, leader when it leaves', () => {
    const { clock, send, roles } = tab([[90_000, { type: 'leadership.gained' }]])
    send(started)
    clock.advance(499)
    expect(roles()).toEqual(['electing'])
    clock.advance(1)
    expect(roles()).toEqual(['electing', 'follower'])
    clock.advance(90_000)
    expect(roles()).toEqual(['electing', 'follower', 'leader'])
  })

  test('no locks in this browser: alone', () => {
    const { send, roles, journal } = tab([[0, { type: 'leadership.unavailable' }]])
    send(started)
    expect([roles(), journal]).toEqual([
      ['electing', 'alone'],
      ['stands', 'stands down'],
    ])
  })

  test('robbed of leadership: takes part again', () => {
    const { clock, send, journal, roles } = tab([
      [0, { type: 'leadership.gained' }],
      [100, { type: 'leadership.lost' }],
    ])
    send(started)
    clock.advance(150)
    expect(roles()).toEqual(['electing', 'leader', 'electing', 'leader'])
    expect(journal).toEqual(['stands', 'stands down', 'stands'])
  })

  test('signed out: withdraws', () => {
    const { send, journal, value } = tab()
    send(started, { type: 'session.ended', reason: 'userLocal' })
    expect([journal, value()]).toEqual([['stands', 'stands down'], { awake: 'idle' }])
  })
})

describe('what is released', () => {
  test('frozen: leadership and the channel in the same step; resumed: takes part again', () => {
    const { send, journal, value, roles } = tab()
    send(started, around({ frozen: true }))
    expect([journal, value()]).toEqual([['stands', 'stands down', 'deaf'], 'frozen'])
    send(around({ frozen: false }))
    expect([journal.at(-1), roles().at(-1)]).toEqual(['stands', 'leader'])
  })

  test('hidden and idle: other tabs may lead; with a channel it stays', () => {
    const { send, journal, roles, value } = tab()
    send(started, around({ visible: false }))
    expect([value(), roles().at(-1), journal.at(-1)]).toEqual([
      { awake: 'yielded' },
      'follower',
      'stands down',
    ])
    send({ type: 'realtime.wanted', wanted: true })
    expect(roles().at(-1)).toBe('leader')
    send({ type: 'realtime.wanted', wanted: false }, around({ visible: true }))
    expect(roles().at(-1)).toBe('leader')
  })
})

describe('messages between tabs', () => {
  const rotated = { type: 'token.rotated', token: started.token } as const

  test('sent: a new session, our own rotation, a sign-out; never those of other tabs', () => {
    const { send, posted } = tab()
    send(started, rotated, { ...rotated, adopted: true })
    send({ type: 'session.ended', reason: 'userLocal' })
    expect(posted).toEqual(['written', 'written', 'removed'])
  })

  test.each(['never', 'otherTab', 'storageCleared', 'corrupt'] as const)(
    'an end by %s is not sent',
    reason => {
      const { send, posted } = tab()
      send({ type: 'session.ended', reason })
      expect(posted).toEqual([])
    },
  )

  test('received: passed to the client, signed in or not', () => {
    const { deliver, told: reported } = tab()
    const event = { type: 'stored.changed', by: 'otherTab', what: 'written' }
    deliver(event)
    expect(reported()).toEqual([event])
  })
})
