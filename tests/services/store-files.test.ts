// Recordings in a folder: appended as they come, found again after a crash, and never more than there is room for.
import { mkdtemp, readdir, readFile, rm, truncate, writeFile, appendFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { verify } from '../../src/services/replay/verify.ts'
import { createFileStore, type FileStoreOptions } from '../../src/services/store/file-store.ts'
import { createSegments } from '../../src/services/store/segments.ts'
import type { TraceStore } from '../../src/services/store/trace-store.ts'
import { readTrace } from '../../src/trace/decode.ts'
import type { ReplayableTrace } from '../../src/trace/format.ts'
import { createRandomRun, randomSystem } from '../harness/random-system.ts'
import { stepsOf } from '../harness/steps.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'chartroom-store-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}

async function storeIn(dir: string, options?: FileStoreOptions): Promise<TraceStore> {
  const store = createFileStore(dir, options)
  onTestFinished(() => store.close())
  return Promise.resolve(store)
}

const opened = async (store: TraceStore, id: string): Promise<ReplayableTrace> => {
  const blob = await store.open(id)
  const read = await readTrace(new Uint8Array((await blob?.arrayBuffer()) ?? []))
  if (read.kind !== 'trace') throw new Error(read.message)
  return read.trace
}

function randomRun(seed: number) {
  const { recorder, clock, drive } = createRandomRun(seed)
  const segments = createSegments(recorder, clock.now)
  recorder.start()
  return { recorder, drive, clock, segments }
}

describe('a running recording', () => {
  test('is written as it goes, in segments, and replays exactly once it is closed', async () => {
    const store = await storeIn(await folder())
    const { segments, drive } = randomRun(7)
    const writing = store.write({ segments })
    await drive(10)
    await writing.flush()
    const [running] = await store.list()
    expect(running).toMatchObject({ system: 'random', state: 'running', kept: false, shortened: false })
    expect(running?.views).toBe(segments.trace.views.length)
    expect(store.status()).toMatchObject({ state: 'writing', bytes: running?.bytes })

    segments.renew()
    await drive(10)
    await writing.flush()
    segments.renew()
    await drive(5)
    await writing.stop()
    expect(store.status().state).toBe('idle')
    const [closed, ...rest] = await store.list()
    expect(rest).toEqual([])
    expect(closed).toMatchObject({ id: running?.id, state: 'closed' })
    const trace = await opened(store, closed?.id ?? '')
    expect(trace.damage).toEqual([])
    expect(stepsOf(trace)).toEqual(stepsOf(segments.trace))
    expect(verify(trace, randomSystem())).toMatchObject({ outcome: 'exact', compared: trace.views.length })
  })
})
