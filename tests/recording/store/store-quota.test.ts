// When storage is full: old recordings are deleted, then the beginning of the running one, and the store
// reports it.
import { describe, expect, test } from 'vitest'
import { StoreEngine } from '../../../src/services/recording/store/store-engine.ts'
import type { WriterOrder } from '../../../src/services/recording/store/store-messages.ts'
import type { Retention, StoreStatus } from '../../../src/services/recording/index.ts'
import { createMemoryStorage } from '../../harness/memory-storage.ts'

const NOON = Date.parse('2026-05-01T12:00:00.000Z')

function engineOn(storage = createMemoryStorage(), retention: Retention = {}) {
  const reported: StoreStatus[] = []
  const engine = new StoreEngine({
    storage,
    retention,
    now: () => NOON,
    onStatus: status => reported.push(status),
  })
  return { engine, storage, reported, last: () => reported.at(-1) }
}

const begin = (id: string, daysAgo = 0): WriterOrder => ({
  kind: 'begin',
  id,
  system: 'fleet',
  startedAt: new Date(NOON - daysAgo * 86_400_000).toISOString(),
  writer: 'tab',
})
const segment = (id: string, number: number, isRestorable = true): WriterOrder => ({
  kind: 'segment',
  id,
  number,
  at: number * 1000,
  isRestorable,
  startedAt: new Date(NOON + number * 1000).toISOString(),
})
const append = (id: string, size: number, until = 10): WriterOrder => ({
  kind: 'append',
  id,
  text: 'x'.repeat(size),
  stimuli: 1,
  steps: 2,
  failures: 1,
  user: id,
  until,
})
const end = (id: string): WriterOrder => ({ kind: 'end', id })
/** A complete recording of this size. */
const whole = (id: string, size: number, daysAgo = 0) => [
  begin(id, daysAgo),
  segment(id, 0),
  append(id, size),
  end(id),
]
const ids = async (engine: StoreEngine) => (await engine.list()).map(({ id }) => id)

describe('retention', () => {
  test('the newest recordings stay, including one that begins', async () => {
    const { engine } = engineOn(createMemoryStorage(), { recordings: 3 })
    for (const [at, id] of ['a', 'b', 'c', 'd', 'e'].entries()) await engine.write(whole(id, 10, 5 - at))
    expect(await ids(engine)).toEqual(['e', 'd', 'c', 'b'])
    await engine.write([begin('f')])
    expect(await ids(engine)).toEqual(['e', 'd', 'c'])
  })

  test('no recording stays longer than the maximum age', async () => {
    const { engine } = engineOn(createMemoryStorage(), { days: 3 })
    await engine.write([...whole('old', 10, 4), ...whole('young', 10, 2), begin('now')])
    expect(await ids(engine)).toEqual(['young'])
  })

  test('the total size is limited, also while a recording is written', async () => {
    const { engine, last } = engineOn(createMemoryStorage(), { bytes: 100 })
    await engine.write([...whole('a', 40, 3), ...whole('b', 40, 2), begin('c'), segment('c', 0)])
    await engine.write([append('c', 10)])
    expect(await ids(engine)).toEqual(['c', 'b', 'a'])
    await engine.write([append('c', 20)])
    expect(await ids(engine)).toEqual(['c', 'b'])
    expect(last()).toEqual({ state: 'writing', bytes: 70, quota: 100 })
  })

  test('kept recordings, and those that others write, are not deleted', async () => {
    const { engine, storage } = engineOn(createMemoryStorage(), { recordings: 1, days: 1 })
    await engine.write(whole('kept', 10, 9))
    await engine.keep('kept', true)
    await engine.write(whole('theirs', 10, 8))
    storage.others.add('theirs')
    await engine.write(whole('gone', 10, 7))
    await engine.write([begin('now')])
    expect((await engine.list()).map(({ id, kept, state }) => [id, kept, state])).toEqual([
      ['theirs', false, 'closed'],
      ['kept', true, 'closed'],
    ])
    await engine.keep('kept', false)
    await engine.write([begin('next')])
    expect(await ids(engine)).toEqual(['theirs'])
  })
})

describe('a device that is full', () => {
  test('deletes old recordings first, the oldest before the others', async () => {
    const { engine, last } = engineOn(createMemoryStorage(100))
    await engine.write([...whole('a', 40, 3), ...whole('b', 40, 2), begin('c'), segment('c', 0)])
    await engine.write([append('c', 30)])
    expect(await ids(engine)).toEqual(['c', 'b'])
    expect(last()).toEqual({ state: 'writing', bytes: 70, quota: 100 })
  })

  test('then deletes the beginning of the running recording, up to a replayable point', async () => {
    const { engine, last } = engineOn(createMemoryStorage(100))
    await engine.write([
      begin('a'),
      segment('a', 0),
      append('a', 30),
      segment('a', 1, false),
      append('a', 30, 1500),
      segment('a', 2),
      append('a', 30, 2500),
      append('a', 20, 2900),
    ])
    const [recording] = await engine.list()
    expect(recording).toMatchObject({ shortened: true, bytes: 50, duration: 900, state: 'running' })
    expect(last()).toEqual({ state: 'writing', bytes: 50, quota: 100 })
  })

  test('then stops writing the segment, reports it, and continues with the next one', async () => {
    const { engine, storage, reported, last } = engineOn(createMemoryStorage(100))
    await engine.write([begin('a'), segment('a', 0), append('a', 90), append('a', 20), append('a', 5)])
    expect(last()).toEqual({
      state: 'full',
      bytes: 90,
      quota: 100,
      reason: 'No space left for the recording. It continues when space is available.',
    })
    expect(storage.texts).toEqual(new Map([['a 0', 'x'.repeat(90)]]))
    await engine.write([segment('a', 1), append('a', 20)])
    expect(storage.texts).toEqual(new Map([['a-1 1', 'x'.repeat(20)]]))
    expect(last()).toEqual({ state: 'writing', bytes: 20, quota: 100 })
    expect(reported.map(({ state }) => state)).toEqual(['writing', 'full', 'writing'])
    expect(await engine.list()).toMatchObject([
      { id: 'a-1', startedAt: '2026-05-01T12:00:01.000Z', shortened: true, state: 'running' },
    ])
  })
})

const broken = ['a', 'running']
const old = ['old', 'closed']

test.each([
  ['is removed', true, [], [broken, old], [old]],
  ['is closed', false, [], [broken, old], [['a', 'closed']]],
  ['is removed if that had to wait', false, [append('a', 20)], [['a-1', 'running'], broken], []],
] as const)(
  'a recording that breaks off when there is no space to mark it stays with its writer; once there is space, it %s',
  async (_, isOldKept, meanwhile, held, others) => {
    const { engine, storage } = engineOn(createMemoryStorage(100))
    const states = async () => (await engine.list()).map(({ id, state }) => [id, state])
    await engine.write([...whole('old', 30, 1), begin('a'), segment('a', 0), append('a', 70)])
    await engine.keep('old', true)
    await engine.write([append('a', 5)])
    await engine.keep('old', isOldKept)
    const { put } = storage
    storage.put = () => Promise.reject(new DOMException('no room', 'QuotaExceededError'))
    await engine.write([segment('a', 1), ...meanwhile])
    expect(await states()).toEqual(held)
    storage.put = put
    await engine.write([append('a', 20)])
    expect(await states()).toEqual([['a-1', 'running'], ...others])
  },
)

test('a failing recording storage is reported, not thrown; the store recovers with it', async () => {
  const { engine, storage, last } = engineOn()
  await engine.write([begin('a'), segment('a', 0), append('a', 5)])
  storage.broken = true
  await engine.write([append('a', 5)])
  expect(last()).toMatchObject({
    state: 'unavailable',
    reason: "Recordings can't be stored: the shelf fell down",
  })
  storage.broken = false
  await engine.write([segment('a', 1), append('a', 5)])
  expect(last()).toMatchObject({ state: 'writing' })
  expect(storage.texts).toEqual(
    new Map([
      ['a 0', 'xxxxx'],
      ['a-1 1', 'xxxxx'],
    ]),
  )
  expect((await engine.list()).map(({ id, state }) => [id, state])).toEqual([
    ['a-1', 'running'],
    ['a', 'closed'],
  ])
})

test('a recording deleted while it is written continues as a new one', async () => {
  const { engine, storage } = engineOn()
  await engine.write([begin('a'), segment('a', 0), append('a', 5)])
  await engine.delete('a')
  await engine.write([append('a', 5)])
  expect(await ids(engine)).toEqual([])
  await engine.write([segment('a', 1), append('a', 7), end('a')])
  expect(await engine.list()).toMatchObject([{ id: 'a-1', bytes: 7, shortened: true, state: 'closed' }])
  expect(storage.texts).toEqual(new Map([['a-1 1', 'xxxxxxx']]))
})
