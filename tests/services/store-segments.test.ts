// Recordings in segments: the oldest go, what is left begins with a keyframe and replays exactly.
import { assign, createMachine, sendTo, setup, spawnChild } from 'xstate'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createSeededEntropy } from '../../src/services/entropy.ts'
import { createRecorder } from '../../src/services/recording/recorder.ts'
import { verify } from '../../src/services/replay/verify.ts'
import { createSegments, type RingOptions } from '../../src/services/store/segments.ts'
import { createVirtualClock } from '../../src/services/virtual-clock.ts'
import { readTrace } from '../../src/trace/decode.ts'
import { encodeFile } from '../../src/trace/encode.ts'
import type { ReplayableTrace } from '../../src/trace/format.ts'
import { createRandomRun, randomSystem } from '../harness/random-system.ts'
import { stepsOf } from '../harness/steps.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

const filed = async (trace: ReplayableTrace): Promise<ReplayableTrace> => {
  const read = await readTrace(await encodeFile(trace))
  if (read.kind !== 'trace') throw new Error(read.message)
  return read.trace
}

/** The listeners of a recorder are told a task later. */
const told = () => new Promise<void>(resolve => setImmediate(() => setTimeout(resolve, 1)))

function segmentedRun(seed: number, ring: RingOptions = {}) {
  const { recorder, clock, drive } = createRandomRun(seed, (seed % 11) / 10)
  const segments = createSegments(recorder, clock.now, ring)
  recorder.start()
  return { recorder, clock, drive, segments }
}

describe('100 random runs in segments', () => {
  const seeds = Array.from({ length: 10 }, (_, at) => 3000 + at * 10)
  test.each(seeds)('runs %i and the nine after it replay as one', async from => {
    for (let seed = from; seed < from + 10; seed++) {
      const { recorder, clock, drive, segments } = segmentedRun(seed)
      for (let part = 0; part < 3; part++) {
        await drive(4 + (seed % 7))
        segments.renew()
      }
      await drive(8)
      recorder.stop()
      await clock.advanceAsync(5)
      expect(segments.list()).toHaveLength(4)
      const trace = await filed(segments.recorded())
      expect(trace.damage).toEqual([])
      expect(trace.keyframes).toHaveLength(3)
      expect(stepsOf(trace)).toEqual(stepsOf(segments.trace))
      expect(verify(trace, randomSystem())).toMatchObject({ outcome: 'exact', compared: trace.views.length })
    }
  })
})
