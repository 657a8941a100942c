// A hundred systems that nothing was prepared in: recorded, they behave as they do unrecorded, and replay exactly.
import { expect, test } from 'vitest'
import { verify } from '../../src/services/replay/index.ts'
import { readTrace } from '../../src/trace/index.ts'
import { withSeededPlatform } from '../harness/seeded-platform.ts'
import { featuresOf, ordinarySystem } from '../harness/ordinary-system.ts'
import { runOrdinary } from '../harness/ordinary-run.ts'

const seeds = Array.from({ length: 100 }, (_, seed) => seed)

test('they replay exactly, from memory and from a file', async () => {
  for (const seed of seeds) {
    const { recording } = await runOrdinary(seed, true)
    if (!recording) throw new Error('it was not recorded')
    const system = { ordinary: ordinarySystem(seed) }
    const inMemory = verify(recording.trace, system)
    expect([seed, featuresOf(seed), inMemory]).toMatchObject([seed, featuresOf(seed), { outcome: 'exact' }])
    const read = await readTrace(recording.lines().join('\n'))
    if (read.kind !== 'trace') throw new Error(read.message)
    const fromFile = verify(read.trace, system)
    expect([seed, featuresOf(seed), fromFile]).toMatchObject([seed, featuresOf(seed), { outcome: 'exact' }])
  }
})

test('everything observable is the same, recorded or not', async () => {
  for (const seed of seeds) {
    const bare = await withSeededPlatform(seed, () => runOrdinary(seed, false))
    const recorded = await withSeededPlatform(seed, () => runOrdinary(seed, true))
    expect([seed, recorded.log]).toEqual([seed, bare.log])
  }
})
