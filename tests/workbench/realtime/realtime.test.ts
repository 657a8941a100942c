// The Realtime section: join options, sent and received messages, and the meaning of a topic's state.
import { describe, expect, test } from 'vitest'
import type { ChannelEvents, ChannelHandle, ChannelStatus } from '../../../src/public/index.ts'
import {
  explainChannel,
  figuresOf,
  Meters,
  peopleOf,
} from '../../../src/services/workbench/realtime/index.ts'
import { conditionProblem, filterOf } from '../../../src/services/workbench/realtime/change-filter.ts'
import {
  ALL,
  exportLines,
  matching,
  MessageLog,
  MOST_ENTRIES,
  announcementOf,
  spokenText,
  type NewEntry,
} from '../../../src/services/workbench/realtime/message-log.ts'
import { logChannelEvents } from '../../../src/services/workbench/realtime/topic-store.ts'
import {
  type ChangedRow,
  fieldChanges,
  isChangedRow,
  rowDiff,
} from '../../../src/services/workbench/realtime/row-diff.ts'
import {
  EMPTY_TOPIC_DRAFT,
  outgoingOf,
  ownStateOf,
} from '../../../src/services/workbench/realtime/topic-draft.ts'
import {
  changeOf,
  changeWords,
  channelOptions,
  newChange,
  settingsProblems,
  USUAL_SETTINGS,
  type Condition,
} from '../../../src/services/workbench/realtime/topic-settings.ts'
import { describeState, topicNews } from '../../../src/services/workbench/realtime/describe-topic.ts'

const condition = (column: string, comparison: string, value: string, not = false): Condition => ({
  id: column,
  column,
  comparison,
  not,
  value,
})

describe('filters of row changes', () => {
  test.each([
    [[condition('id', 'eq', '4')], 'id=eq.4'],
    [[condition('name', 'eq', 'Gull, haven')], 'name=eq."Gull, haven"'],
    [[condition('name', 'like', 'a"b\\c')], String.raw`name=like."a\"b\\c"`],
    [[condition('id', 'in', '1, 2,a(b')], 'id=in.(1,2,"a(b")'],
    [[condition('id', 'in', '(1,2)')], 'id=in.(1,2)'],
    [[condition('gone', 'is', ' null ', true), condition('id', 'gt', '5')], 'gone=not.is.null,id=gt.5'],
    [[condition(' ', 'eq', '')], undefined],
  ])('%j is %s', (conditions, filter) => {
    expect(filterOf(conditions)).toBe(filter)
  })

  test('an invalid condition is explained', () => {
    expect(conditionProblem(condition('', 'eq', '4'))).toBe('Enter a column.')
    expect(conditionProblem(condition('a b', 'eq', '4'))).toMatch(/can’t contain/)
    expect(conditionProblem(condition('a', 'is', '4'))).toBe('Enter null, true, false or unknown.')
    expect(conditionProblem(condition('a', 'is', 'true'))).toBe(undefined)
  })
})

describe('a topic', () => {
  const change = { ...newChange([]), event: 'UPDATE' as const, table: 'vessels', columns: 'id, name' }

  test('joins with the requested options', () => {
    const settings = {
      ...USUAL_SETTINGS,
      private: true,
      http: true,
      replay: '10',
      changes: [{ ...change, conditions: [condition('id', 'gt', '5')] }],
    }
    expect(channelOptions(settings, 'u1', 1_000_000)).toEqual({
      private: true,
      broadcast: { self: false, ack: true, fallback: 'http', replay: { since: 400_000 } },
      presence: { enabled: true, key: 'u1' },
      postgresChanges: [
        { event: 'UPDATE', schema: 'public', table: 'vessels', filter: 'id=gt.5', select: ['id', 'name'] },
      ],
    })
    expect(changeWords(changeOf(change))).toBe('UPDATE public.vessels (id, name)')
    expect(changeOf({ ...newChange([]), schema: ' ' })).toEqual({ event: '*', schema: 'public' })
  })

  test('does not join with invalid options', () => {
    const settings = { ...USUAL_SETTINGS, replay: '5' }
    expect(settingsProblems('', settings)).toEqual({
      topic: 'Enter a topic name.',
      replay: 'Only private topics store messages.',
    })
    const filtered = { ...newChange([]), conditions: [condition('id', 'eq', '4')] }
    expect(settingsProblems('a', { ...USUAL_SETTINGS, changes: [filtered] })).toEqual({
      c1: 'A filter applies to the columns of one table: enter the table name.',
    })
  })
})

describe('the log', () => {
  const entryOf = (event: string, payload: unknown): NewEntry => ({
    at: 5,
    direction: 'in',
    kind: 'broadcast',
    event,
    payload,
  })

  test('updates a message in place while others arrive', () => {
    const log = new MessageLog()
    const id = log.add({ ...entryOf('message', { text: 'Aye' }), direction: 'out', phase: 'sending' })
    log.add(entryOf('message', { text: 'Ahoy' }))
    log.settle(id, { phase: 'failed', problem: 'offline' })
    expect(log.entries.map(entry => [entry.id, entry.text, entry.phase, entry.problem])).toEqual([
      [1, '{"text":"Aye"}', 'failed', 'offline'],
      [2, '{"text":"Ahoy"}', undefined, undefined],
    ])
  })

  test('is bounded, and shows how many entries were dropped', () => {
    const log = new MessageLog()
    for (let n = 0; n < MOST_ENTRIES + 5_000; n++) log.add(entryOf('n', n))
    expect(log.entries.length + log.dropped).toBe(MOST_ENTRIES + 5_000)
    expect(log.entries.length).toBeLessThan(MOST_ENTRIES + 2_000)
    const last = log.entries.at(-1)?.id ?? 0
    log.settle(last, { phase: 'sent' })
    expect(log.entries.at(-1)).toMatchObject({ id: last, phase: 'sent' })
    log.clear()
    expect([log.entries.length, log.dropped]).toEqual([0, 0])
  })

  test('is filtered by text, direction and kind', () => {
    const log = new MessageLog()
    log.add(entryOf('hail', { to: 'Fulmar' }))
    log.add({ ...entryOf('hail', { to: 'Marigold' }), direction: 'out' })
    log.add({ ...entryOf('joined', undefined), direction: 'note', kind: 'state' })
    const events = (text: string, direction = ALL.direction, kind = ALL.kind) =>
      matching(log.entries, { words: text, direction, kind }).map(({ id }) => id)
    expect(events('')).toEqual([1, 2, 3])
    expect(events('HAIL fulmar')).toEqual([1])
    expect(events('', 'out')).toEqual([2])
    expect(events('', 'all', 'state')).toEqual([3])
  })

  test('finds text beyond the visible end of its line', () => {
    const log = new MessageLog()
    log.add(entryOf('long', { text: `${'x'.repeat(1_000)} anchor` }))
    expect(matching(log.entries, { ...ALL, words: 'anchor' })).toHaveLength(1)
  })

  test('is exported line by line, with bytes in base64', () => {
    const log = new MessageLog()
    log.add(entryOf('sonar', Uint8Array.from([0, 255]).buffer))
    expect(log.entries[0]?.text).toBe('2 bytes: 00 ff')
    expect(exportLines(log.entries, at => `t${at}`)).toBe(
      '{"id":1,"at":"t5","direction":"in","kind":"broadcast","event":"sonar","base64":"AP8="}\n',
    )
  })

  test('messages from other users are announced: one with its text, several by their number', () => {
    const log = new MessageLog()
    log.add({ ...entryOf('joined', undefined), direction: 'note', kind: 'state' })
    log.add({ ...entryOf('message', { text: 'Mine' }), direction: 'out' })
    expect(announcementOf(log.entries, 0)).toBeUndefined()
    log.add(entryOf('message', { from: 'mate', text: 'Ahoy' }))
    expect(announcementOf(log.entries, 0)).toBe('mate: Ahoy')
    log.add(entryOf('sonar', { lit: true }))
    expect([
      announcementOf(log.entries, 3),
      announcementOf(log.entries, 0),
      announcementOf(log.entries, 4),
    ]).toEqual(['Received: sonar', '2 new entries', undefined])
  })

  test('text messages are distinguished from other payloads', () => {
    expect(spokenText({ from: 'mate', text: 'Aye', at: 'x' })).toEqual({ from: 'mate', text: 'Aye' })
    expect([spokenText({ lit: true }), spokenText('Aye'), spokenText(null)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

test('throughput and latency cover the last minute', () => {
  const meters = new Meters()
  meters.count('in', 100)
  for (let n = 0; n < 20; n++) meters.count('in', 70_000 + n)
  meters.count('out', 79_500)
  meters.addLatency({ at: 100, ms: 900, of: 'ack' })
  for (const ms of [30, 10, 20]) meters.addLatency({ at: 75_000, ms, of: 'ack' })
  meters.addLatency({ at: 75_000, ms: 500, of: 'change' })
  expect(figuresOf(meters, 80_500)).toEqual({ in: 2, out: 0.1, peak: 20, median: 20, worst: 30 })
  expect(meters.seconds(80_500)).toHaveLength(60)
})

describe('a message', () => {
  const draft = EMPTY_TOPIC_DRAFT

  test('is text, JSON or bytes', () => {
    expect(outgoingOf({ ...draft, words: ' Aye ' }, 'mate', 'now')).toEqual({
      event: 'message',
      payload: { from: 'mate', text: 'Aye', at: 'now' },
    })
    expect(outgoingOf({ ...draft, mode: 'json', event: 'hail', json: '[1]' }, 'mate', 'now')).toEqual({
      event: 'hail',
      payload: [1],
    })
    expect(outgoingOf({ ...draft, mode: 'bytes', event: 'sonar', hex: '00 ff' }, 'mate', 'now')).toEqual({
      event: 'sonar',
      payload: Uint8Array.from([0, 255]).buffer,
    })
  })

  test('that cannot be sent reports why', () => {
    expect(outgoingOf({ ...draft, mode: 'json', json: '{' }, 'mate', 'now')).toHaveProperty('problem')
    expect(outgoingOf({ ...draft, mode: 'bytes', hex: 'a' }, 'mate', 'now')).toHaveProperty('problem')
    expect(outgoingOf({ ...draft, mode: 'json', event: ' ' }, 'mate', 'now')).toEqual({
      problem: 'Enter an event name.',
    })
    expect([ownStateOf('{"name":"a"}'), ownStateOf('[]')]).toEqual([
      { meta: { name: 'a' } },
      { problem: 'The state must be an object: { "name": "…" }.' },
    ])
  })
})

describe('the channel state', () => {
  const about = { connection: { phase: 'open', attempt: 0 }, network: 'online' } as const
  const status = (change: Partial<ChannelStatus>): ChannelStatus => ({
    phase: 'joined',
    postgres: 'none',
    data: 'none',
    ...change,
  })

  test('is described with a next step', () => {
    expect(topicNews(status({}), about)).toBe(undefined)
    expect(
      topicNews(
        status({ phase: 'denied', reason: 'PrivateOnly: This project only allows private channels' }),
        about,
      ),
    ).toEqual({
      tone: 'fail',
      text: 'The backend refused: PrivateOnly: This project only allows private channels. Retrying when the token or the settings change.',
      ways: ['private', 'again', 'settings'],
    })
    expect(topicNews(status({ phase: 'retrying', reason: 'closed with 1006' }), about)?.text).toBe(
      'Not joined: the connection to the backend was lost. Retrying automatically, with increasing delays.',
    )
    expect(topicNews(status({ phase: 'waiting' }), { ...about, network: 'offline' })?.text).toMatch(/offline/)
    const lost = { ...about, connection: { ...about.connection, phase: 'reconnecting' as const } }
    expect(topicNews(status({ phase: 'waiting', reason: 'closed with 1006' }), lost)?.text).toBe(
      'Not joined yet. The connection was lost; reconnecting automatically.',
    )
    expect(topicNews(status({ postgres: 'configError', reason: 'no such column' }), about)).toMatchObject({
      tone: 'fail',
      ways: ['settings'],
    })
  })

  test('is logged when it changes', () => {
    expect(describeState(status({ phase: 'joining' }), status({}))).toBe('joined')
    expect(describeState(status({}), status({ postgres: 'live' }))).toBe('row changes live')
    expect(describeState(status({}), status({ phase: 'left' }))).toBe(undefined)
  })

  test("a lost socket has our text, a rejection the server's", () => {
    expect(explainChannel('closed with 1006')).toBe('the connection to the backend was lost')
    expect(explainChannel('You do not have permissions to read from this topic.')).toBe(
      'You do not have permissions to read from this topic',
    )
  })
})

test('tabs of one user are one line', () => {
  const skipper = { name: 'skipper' }
  const presence = { b: [skipper, skipper], a: [{ name: 'mate' }], c: [{}], d: [] }
  expect(peopleOf(presence)).toEqual([
    { key: 'c', name: 'c', places: 1, metas: [{}] },
    { key: 'a', name: 'mate', places: 1, metas: [{ name: 'mate' }] },
    { key: 'b', name: 'skipper', places: 2, metas: [skipper, skipper] },
  ])
})

test("a presence line shows the user's own data; the server's metadata is only in the raw payload", () => {
  const listeners = new Map<string, (presence: ChannelEvents['join']) => void>()
  const on = (kind: string, listener: (presence: ChannelEvents['join']) => void) =>
    void listeners.set(kind, listener)
  const log = new MessageLog()
  logChannelEvents(
    { on } as unknown as ChannelHandle,
    () => 5,
    entry => log.add(entry),
  )
  const metas = [{ name: 'Mate', duty: 'helm', presence_ref: 'r1' }]
  listeners.get('join')?.({ key: 'm', metas, present: metas })
  expect(log.entries).toEqual([
    {
      id: 1,
      at: 5,
      direction: 'in',
      kind: 'presence',
      event: 'Mate joined',
      payload: metas,
      text: '[{"name":"Mate","duty":"helm"}]',
    },
  ])
})

describe('row changes', () => {
  const change = (type: ChangedRow['type'], old: ChangedRow['old'], record: ChangedRow['record']) =>
    rowDiff({ type, old, record })

  test('are lines with what changed', () => {
    expect(
      change('UPDATE', { id: 12, name: 'Puffin', sign: null }, { id: 12, name: 'Puffin', sign: 'ABC' }),
    ).toBe('id 12: sign null → "ABC"')
    expect(change('UPDATE', { id: 12 }, { id: 12, name: 'Puffin' })).toBe('id 12: name "Puffin"')
    expect(change('UPDATE', {}, { id: 12, tags: ['a'] })).toBe('id 12, tags ["a"]')
    expect(change('UPDATE', { id: 1, n: 2 }, { id: 1, n: 2 })).toBe('id 1: nothing changed')
    expect(change('INSERT', {}, { id: 13, lit: true, name: '' })).toBe('id 13, lit true, name ""')
    expect(change('DELETE', { id: 13 }, {})).toBe('id 13')
  })

  test('name fields only if the previous values are known', () => {
    expect(fieldChanges({ type: 'UPDATE', old: { id: 1 }, record: { id: 1, n: 2 } })).toBeUndefined()
    expect(
      fieldChanges({ type: 'UPDATE', old: { id: 1, n: { a: 1 } }, record: { id: 1, n: { a: 2 } } }),
    ).toEqual([{ name: 'n', before: '{"a":1}', after: '{"a":2}' }])
    expect(isChangedRow({ type: 'UPDATE', old: {}, record: {} })).toBe(true)
    expect(isChangedRow({ type: 'update', old: {}, record: {} })).toBe(false)
    expect(isChangedRow(null)).toBe(false)
  })

  test('are found by values that did not change', () => {
    const log = new MessageLog()
    const payload = {
      type: 'UPDATE',
      old: { id: 1, name: 'Puffin', n: 1 },
      record: { id: 1, name: 'Puffin', n: 2 },
    }
    log.add({
      at: 0,
      direction: 'in',
      kind: 'change',
      event: 'UPDATE public.birds',
      payload,
      detail: 'id 1: n 1 → 2',
    })
    expect(matching(log.entries, { ...ALL, words: 'puffin' })).toHaveLength(1)
    expect(matching(log.entries, { ...ALL, words: '→ 2' })).toHaveLength(1)
    expect(matching(log.entries, { ...ALL, words: 'gull' })).toHaveLength(0)
  })
})
