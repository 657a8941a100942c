// 200 random runs of the whole client under random faults: each is written, read back and replayed exactly.
import { describe, expect, test } from 'vitest'
import { readTrace, systems, verify } from '../../src/public/devtools/replay.ts'
import { stormyRun } from '../harness/recorded-run.ts'
import { stepsOf } from '../harness/steps.ts'
import { volume } from '../harness/volume.ts'

const seeds = Array.from({ length: volume(1, 20) }, (_, at) => at * 10 + 1)

describe('storms', () => {
  test.each(seeds)('seeds %i and the nine after it replay step by step', async first => {
    for (let seed = first; seed < first + 10; seed++) {
      const { trace: live, file } = stormyRun(seed, 25)
      const read = await readTrace(await file())
      if (read.kind !== 'trace') throw new Error(`seed ${seed}: ${read.message}`)
      expect(stepsOf(read.trace)).toEqual(stepsOf(live))
      expect({ seed, ...verify(read.trace, systems) }).toEqual({
        seed,
        outcome: 'exact',
        system: 'chartroom',
        stimuli: live.stimuli.length,
        steps: live.steps.length,
        compared: live.steps.length,
        machines: [],
        damage: [],
      })
    }
  })
})
