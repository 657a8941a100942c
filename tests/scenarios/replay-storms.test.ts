// 200 random runs of the whole client under random faults: each is written, read back and replayed exactly.
import { describe, expect, test } from 'vitest'
import { readTrace } from '../../src/trace/decode.ts'
import { systems } from '../../src/replay.ts'
import { verify } from '../../src/services/replayer.ts'
import { stormyRun } from '../harness/recorded-run.ts'

describe('a storm, recorded and replayed', () => {
  test.each(Array.from({ length: 200 }, (_, n) => n + 1))('seed %i', async seed => {
    const recorder = stormyRun(seed)
    const read = await readTrace(await recorder.file())
    if (read.kind !== 'trace') throw new Error(read.message)
    const { trace } = read
    expect(trace.views).toEqual(recorder.trace.views.map(view => expect.objectContaining({ seq: view.seq })))
    const { machines, damage, ...report } = verify(trace, systems)
    expect({ ...report, machines, damage }).toEqual({
      outcome: 'exact',
      system: 'chartroom',
      stimuli: recorder.trace.stimuli.length,
      views: recorder.trace.views.length,
      compared: recorder.trace.views.length,
      machines: [],
      damage: [],
    })
  })
})
