// Recordings in a folder: appended as they are made, found again after a crash, with any number of processes.
import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMachine } from 'xstate'
import type { AnyEventObject } from 'xstate'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { record, createSegments, type TraceStore } from '../../src/services/recording/index.ts'
import { verify } from '../../src/services/replay/index.ts'
import { createFileStore, type FileStoreOptions } from '../../src/services/recording/store/file-store.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import type { ReplayableTrace } from '../../src/trace/index.ts'
import { createRandomRun, randomSystem } from '../harness/random-system.ts'
import { stepsOf } from '../harness/steps.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'chartroom-store-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 3 }))
  return dir
}

function storeIn(dir: string, options?: FileStoreOptions): TraceStore {
  // The virtual clock starts in 1970.
  const store = createFileStore(dir, { days: 100_000, ...options })
  onTestFinished(() => store.close())
  return store
}

const opened = async (store: TraceStore, id = ''): Promise<ReplayableTrace> => {
  const blob = await store.open(id)
  const read = await readTrace(new Uint8Array((await blob?.arrayBuffer()) ?? []))
  if (read.kind !== 'trace') throw new Error(read.message)
  return read.trace
}

function randomRun(seed: number) {
  const { recorder, clock, drive } = createRandomRun(seed)
  const segments = createSegments(recorder, clock.now)
  recorder.start()
  return { recorder, drive, segments }
}

test('a list has the failures and the user that the events name, and a name that stays', async () => {
  const machine = createMachine({ id: 'client', on: { '*': {} } })
  const recording = record(machine)
  const dir = await folder()
  const store = storeIn(dir)
  const writing = store.write(recording)
  recording.start()
  recording.actor.send({ type: 'auth.succeeded', token: { user: { id: 'mate' } } })
  recording.actor.send({ type: 'request.failed' })
  await writing.flush()
  const [{ id } = { id: '' }] = await store.list()
  await store.rename(id, 'Before the fix')
  recording.actor.send({ type: 'signedIn', session: { user: { id: 'skipper' } } })
  recording.actor.send({ type: 'socket.lost' })
  recording.actor.send({ type: 'note', user: 'nobody', failure: 'none' })
  await writing.stop()
  expect(await storeIn(dir).list()).toMatchObject([{ failures: 2, user: 'skipper', name: 'Before the fix' }])
})

test('a system that is started again after its end is stored as two exact recordings', async () => {
  const machine = createMachine({ id: 'counter', on: { inc: {} } })
  const recording = record(machine)
  const store = storeIn(await folder())
  const writing = store.write(recording)
  recording.start()
  recording.actor.send({ type: 'inc' })
  recording.actor.stop()
  recording.actor.start()
  recording.actor.send({ type: 'inc' })
  recording.actor.send({ type: 'inc' })
  await writing.stop()
  const stored = await Promise.all((await store.list()).map(({ id }) => opened(store, id)))
  expect(stored.map(({ stimuli }) => stimuli.length)).toEqual([2, 2])
  for (const trace of stored) {
    expect(trace.damage).toEqual([])
    expect(verify(trace, { counter: machine })).toMatchObject({ outcome: 'exact' })
  }
})

const isExact = (trace: ReplayableTrace) => {
  expect(trace.damage).toEqual([])
  expect(verify(trace, randomSystem())).toMatchObject({ outcome: 'exact', compared: trace.steps.length })
}

describe('a running recording', () => {
  test('continues after values that cannot be written', async () => {
    const store = storeIn(await folder())
    const machine = createMachine({ id: 'keeper', on: { '*': {} } })
    const recording = record(machine)
    const writing = store.write(recording)
    recording.start()
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const bad = {
      get value(): never {
        throw new RangeError('not readable')
      },
    }
    for (const data of [proxy, bad, 'x'.repeat(2 ** 24), 10n ** 10_001n]) {
      recording.actor.send({ type: 'keep', data } as AnyEventObject)
      await writing.flush()
    }
    recording.actor.send({ type: 'last' })
    await writing.stop()
    expect(store.status()).toMatchObject({ state: 'idle' })
    const [stored] = await store.list()
    const trace = await opened(store, stored?.id)
    expect(trace.damage).toEqual([])
    const unwritable = { kind: 'unwritable' }
    expect(trace.stimuli.map(({ event }) => event)).toMatchObject([
      { type: 'keep', data: unwritable },
      { type: 'keep', data: { value: { ...unwritable, name: 'reading it threw RangeError: not readable' } } },
      { type: 'keep', data: unwritable },
      { type: 'keep', data: unwritable },
      { type: 'last' },
    ])
    // All steps match, but the machine received values that the recording does not contain.
    expect(verify(trace, { keeper: machine })).toMatchObject({
      outcome: 'unverified',
      compared: trace.steps.length,
    })
  })

  test('is written incrementally, in segments, and replays exactly once it is closed', async () => {
    const store = storeIn(await folder())
    const { segments, drive } = randomRun(7)
    const writing = store.write({ segments })
    await drive(10)
    await writing.flush()
    const [running] = await store.list()
    expect(running).toMatchObject({ system: 'random', state: 'running', kept: false, shortened: false })
    expect(running?.steps).toBe(segments.trace.steps.length)
    expect(store.status()).toMatchObject({ state: 'writing', bytes: running?.bytes })
    isExact(await opened(store, running?.id))

    segments.renew()
    await drive(10)
    await writing.flush()
    segments.renew()
    await drive(5)
    await writing.stop()
    expect(store.status().state).toBe('idle')
    const [closed, ...rest] = await store.list()
    expect(rest).toEqual([])
    expect(closed).toMatchObject({ id: running?.id, state: 'closed', steps: expect.any(Number) as number })
    const trace = await opened(store, closed?.id)
    expect(stepsOf(trace)).toEqual(stepsOf(segments.trace))
    isExact(trace)
  })

  test('that is restarted is a new recording; one that is stopped ends at the stop', async () => {
    const store = storeIn(await folder())
    const { segments, drive } = randomRun(8)
    const writing = store.write({ segments })
    await drive(5)
    segments.stop()
    const held = segments.recorded().steps.length
    await drive(5)
    await writing.flush()
    segments.start()
    await drive(5)
    await writing.flush()
    const [second, first] = await store.list()
    expect([first?.state, second?.state]).toEqual(['closed', 'running'])
    const trace = await opened(store, first?.id)
    expect(trace.steps).toHaveLength(held)
    isExact(trace)
    isExact(await opened(store, second?.id))
  })

  test('of a recorder without segments is stored, too', async () => {
    const store = storeIn(await folder())
    const { recorder, drive } = createRandomRun(9)
    recorder.start()
    const writing = store.write(recorder)
    await drive(10)
    await writing.stop()
    const [recording] = await store.list()
    const trace = await opened(store, recording?.id)
    expect(stepsOf(trace)).toEqual(stepsOf(recorder.trace))
    isExact(trace)
  })

  test('is written automatically', async () => {
    const store = storeIn(await folder())
    const { segments, drive } = randomRun(10)
    store.write({ segments })
    await drive(5)
    await vi.waitFor(async () => expect((await store.list())[0]?.steps).toBe(segments.trace.steps.length))
  })

  test.each(['chunk', 'segment', 'never'] as const)('is the same with sync: %s', async sync => {
    const store = storeIn(await folder(), { sync })
    const { segments, drive } = randomRun(11)
    const writing = store.write({ segments })
    await drive(5)
    segments.renew()
    await drive(5)
    await writing.stop()
    isExact(await opened(store, (await store.list())[0]?.id))
  })
})

/** The files of a killed process, with the lock of a process that no longer exists. */
async function cutOff(dir: string) {
  // Each `flush` writes one chunk, even on a machine so busy that the store's timer would have written before.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const store = storeIn(dir)
  const { segments, drive } = randomRun(12)
  const writing = store.write({ segments })
  await drive(5)
  await writing.flush()
  const [id = ''] = await readdir(dir)
  const lines = join(dir, id, '0.trace')
  const { size } = await stat(lines)
  await drive(5)
  await writing.flush()
  vi.useRealTimers()
  await writeFile(join(dir, id, 'writer'), String(2 ** 22 + 1))
  return { id, lines, size, steps: segments.trace.steps.length }
}

describe('what a killed process leaves', () => {
  test('is truncated, and intact', async () => {
    const dir = await folder()
    const { id, steps } = await cutOff(dir)
    const next = storeIn(dir)
    expect(await next.list()).toMatchObject([{ id, state: 'cutOff', steps }])
    isExact(await opened(next, id))
  })

  test.each([
    ['torn', async (lines: string) => truncate(lines, (await stat(lines)).size - 40)],
    ['torn within its first line', async (lines: string, size: number) => truncate(lines, size + 3)],
    ['torn before its end mark', async (lines: string) => truncate(lines, (await stat(lines)).size - 1)],
    [
      'full of zeros',
      async (lines: string, size: number) => {
        await truncate(lines, size)
        await appendFile(lines, Buffer.alloc(4096))
      },
    ],
  ])('has its last chunk left out when that is %s', async (_how, damage) => {
    const dir = await folder()
    const { id, lines, size, steps } = await cutOff(dir)
    await damage(lines, size)
    const next = storeIn(dir)
    const [found] = await next.list()
    expect(found).toMatchObject({ id, state: 'cutOff', bytes: size })
    expect(found?.steps).toBeLessThan(steps)
    const trace = await opened(next, id)
    expect(trace.steps).toHaveLength(found?.steps ?? 0)
    isExact(trace)
    expect((await stat(lines)).size).toBe(size)
  })

  test('is found even when the process never ended properly', async () => {
    const dir = await folder()
    const program = fileURLToPath(new URL('../harness/store-process.ts', import.meta.url))
    const killed = await new Promise<string>(resolve =>
      execFile(process.execPath, [program, dir], (error, stdout) => resolve(`${error?.signal} ${stdout}`)),
    )
    expect(killed).toMatch(/^SIGKILL \d+ stimuli\n$/)
    const store = storeIn(dir)
    const [found] = await store.list()
    expect(found).toMatchObject({ state: 'cutOff', stimuli: Number(/\d+/.exec(killed)?.[0]) })
    isExact(await opened(store, found?.id))
  })
})

test('several processes write at once, each its own recording', async () => {
  const dir = await folder()
  const runs = [21, 22, 23].map(seed => ({ ...randomRun(seed), store: storeIn(dir) }))
  const writings = runs.map(({ store, segments }) => store.write({ segments }))
  for (const { drive } of runs) await drive(8)
  await Promise.all(writings.map(writing => writing.flush()))
  const list = await storeIn(dir).list()
  expect(list.map(({ state }) => state)).toEqual(['running', 'running', 'running'])
  for (const { id } of list) isExact(await opened(storeIn(dir), id))
})

test('a folder that cannot be written to is reported, and nothing is thrown', async () => {
  const dir = join(await folder(), 'file')
  await writeFile(dir, '')
  const store = storeIn(dir)
  const { segments, drive } = randomRun(31)
  const writing = store.write({ segments })
  await drive(3)
  await writing.stop()
  expect(store.status()).toMatchObject({
    state: 'unavailable',
    reason: expect.stringMatching(/^Recordings can't be stored: ENOTDIR/) as string,
  })
  expect(await store.list()).toEqual([])
  expect(await store.open('nothing')).toBeUndefined()
  expect(await readFile(dir, 'utf8')).toBe('')
})
