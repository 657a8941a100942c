// Several handles of one topic: joined once with the union of their options, and separated again.
import { describe, expect, test } from 'vitest'
import type { ChannelOptions } from '../../../src/machines/index.ts'
import { mergeOptions } from '../../../src/machines/realtime/topic-uses.ts'
import { scenario } from '../../harness/scenario.ts'
import { healthy } from '../../harness/scripted-ports.ts'

const vessels = { event: '*', schema: 'public', table: 'vessels' } as const
const voyages = { event: 'INSERT', schema: 'public', table: 'voyages', filter: 'vessel=eq.1' } as const
const nothing = {
  private: false,
  broadcast: { self: false, ack: true },
  presence: { enabled: true },
  postgresChanges: [],
}

describe('options', () => {
  test.each<[string, readonly ChannelOptions[], object]>([
    ['no options', [{}, {}], {}],
    ['one is private', [{}, { private: true }], { private: true }],
    [
      'one wants its own messages',
      [{ broadcast: { self: true } }, {}],
      { broadcast: { self: true, ack: true } },
    ],
    [
      'none waits for acknowledgments',
      [{ broadcast: { ack: false } }, { broadcast: { ack: false } }],
      { broadcast: { self: false, ack: false } },
    ],
    ['one waits for acknowledgments', [{ broadcast: { ack: false } }, {}], {}],
    [
      'the first key is used',
      [{ presence: {} }, { presence: { key: 'a' } }, { presence: { key: 'b' } }],
      { presence: { enabled: true, key: 'a' } },
    ],
    ['none uses presence', [{ presence: { enabled: false } }], { presence: { enabled: false } }],
    [
      'duplicate changes are merged',
      [{ postgresChanges: [vessels] }, { postgresChanges: [voyages, vessels] }],
      { postgresChanges: [vessels, voyages] },
    ],
    [
      'replay and replicationReady are kept',
      [{ broadcast: { replay: { since: 5 } } }, { broadcast: { replicationReady: true } }],
      { broadcast: { self: false, ack: true, replay: { since: 5 }, replicationReady: true } },
    ],
  ])('%s', (_, uses, expected) => {
    expect(mergeOptions(uses.map(options => ({ options })))).toEqual({ ...nothing, ...expected })
  })
})

describe('handles', () => {
  function using() {
    const joins: unknown[] = []
    const all = scenario(clock => ({
      topic: (n, input) => {
        joins.push(input.options.postgresChanges)
        return healthy(clock).topic(n, input)
      },
    }))
    all.clock.advance(5)
    const join = (use: string, options: ChannelOptions) => {
      all.send({ type: 'channel.join', topic: 'rows', use, options })
      all.clock.advance(50)
    }
    const leave = (use: string) => {
      all.send({ type: 'channel.leave', topic: 'rows', use })
      all.clock.advance(50)
    }
    return { ...all, joins, join, leave }
  }

  test('with the same options share one join', () => {
    const { join, leave, joins, status } = using()
    join('a', { postgresChanges: [vessels] })
    join('b', { postgresChanges: [vessels] })
    leave('a')
    expect(joins).toEqual([[vessels]])
    leave('b')
    expect(status().channels).toEqual({})
  })

  test('with more options cause a join with all of them, and one without when they leave', () => {
    const { join, leave, joins, status, starts } = using()
    join('a', { postgresChanges: [vessels] })
    join('b', { postgresChanges: [voyages] })
    expect(joins).toEqual([[vessels], [vessels, voyages]])
    leave('b')
    expect(joins).toEqual([[vessels], [vessels, voyages], [vessels]])
    expect(status().channels).toEqual({ rows: { phase: 'joined', postgres: 'live', data: 'live' } })
    // Changes between two joins may be missed.
    expect(starts('resync')).toBe(3)
  })

  test('can start and stop using row changes', () => {
    const { join, leave, status } = using()
    join('a', {})
    expect(status().channels['rows']).toEqual({ phase: 'joined', postgres: 'none', data: 'none' })
    join('b', { postgresChanges: [vessels] })
    expect(status().channels['rows']).toEqual({ phase: 'joined', postgres: 'live', data: 'live' })
    leave('b')
    expect(status().channels['rows']).toEqual({ phase: 'joined', postgres: 'none', data: 'none' })
  })

  test('that are unknown leave nothing behind', () => {
    const { join, leave, status } = using()
    join('a', {})
    leave('b')
    leave('b')
    expect(status().channels).toEqual({ rows: { phase: 'joined', postgres: 'none', data: 'none' } })
  })

  test('with other options cause a retry where the topic was denied', () => {
    const { clock, send, status } = scenario(() => ({
      topic: (_, { options }) =>
        options.private
          ? [[5, { type: 'topic.joined' }]]
          : [
              [
                5,
                { type: 'topic.refused', reason: 'PrivateOnly: This project only allows private channels' },
              ],
            ],
    }))
    clock.advance(5)
    send({ type: 'channel.join', topic: 'bridge', use: 'a', options: {} })
    clock.advance(50)
    expect(status().channels['bridge']?.phase).toBe('denied')
    send({ type: 'channel.join', topic: 'bridge', use: 'b', options: { private: true } })
    clock.advance(50)
    expect(status().channels['bridge']).toEqual({ phase: 'joined', postgres: 'none', data: 'none' })
  })

  test('that are added cause a retry where the topic was denied, and only there', () => {
    let isOpen = false
    const reason = 'Unauthorized: You do not have permissions to read from this Channel topic: bridge'
    const { clock, send, status, starts } = scenario(() => ({
      topic: () => (isOpen ? [[5, { type: 'topic.joined' }]] : [[5, { type: 'topic.refused', reason }]]),
    }))
    const join = (use: string) => {
      send({ type: 'channel.join', topic: 'bridge', use, options: {} })
      clock.advance(50)
      return [status().channels['bridge']?.phase, starts('topic')]
    }
    clock.advance(5)
    expect([join('a'), join('b')]).toEqual([
      ['denied', 1],
      ['denied', 2],
    ])
    // The join succeeds; the existing handles keep the topic.
    isOpen = true
    clock.advance(600_000)
    send({ type: 'channel.leave', topic: 'bridge', use: 'a' })
    expect([status().channels['bridge']?.phase, starts('topic')]).toEqual(['denied', 2])
    expect([join('c'), join('d')]).toEqual([
      ['joined', 3],
      ['joined', 3],
    ])
  })
})
