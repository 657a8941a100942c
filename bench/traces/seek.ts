// Seeking in a trace of a million records: the states of all living actors at a random step.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSeededEntropy } from '../../src/services/entropy.ts'
import type { Benchmark } from '../contract.ts'
import { millionRecords, onDisk, removeMillionRecords } from './million.ts'
import { modelOf, parseAll, timed } from './open.ts'

const SEEKS = 1000
/** Each takes seconds. */
const SEEKS_OF_PEER = 3

export const seekMillion: Benchmark = {
  name: 'seek-1m',
  unit: 'ms',
  peer: 'reading the same file up to that step (its median)',
  async measure(samples) {
    const path = await millionRecords()
    const before = memory()
    const source = await onDisk(path)
    const model = await modelOf(source)
    const opened = memory()
    const { random } = createSeededEntropy(1)
    const step = () => Math.floor(random() * model.views.length)
    const ours: number[] = []
    const peer: number[] = []
    for (let at = 0; at < samples; at++) {
      const times: number[] = []
      for (let n = 0; n < SEEKS; n++) times.push(await timed(() => model.stateAt(step())))
      ours.push(percentile(times, 0.99))
      const reads: number[] = []
      for (let n = 0; n < SEEKS_OF_PEER; n++) reads.push(await timed(() => readUpTo(path, step())))
      peer.push(percentile(reads, 0.5))
    }
    const used = memory()
    const { views, stimuli, actors } = model
    console.error(
      `seek-1m: ${views.length} views, ${stimuli.length} stimuli and ${actors.length} actors in ` +
        `${megabytes(source.size)} MB on disk; held after opening ${megabytes(opened - before)} MB, after ` +
        `${samples * SEEKS} seeks ${megabytes(used - before)} MB (heap and array buffers)`,
    )
    await source.close()
    await removeMillionRecords()
    return { ours, peer }
  },
}

function readUpTo(path: string, seq: number): Promise<void> {
  return parseAll(
    path,
    record =>
      typeof record === 'object' &&
      record !== null &&
      'line' in record &&
      record.line === 'view' &&
      'seq' in record &&
      record.seq === seq,
  )
}

function percentile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? NaN
}

function megabytes(bytes: number): number {
  return Number((bytes / 1e6).toFixed(1))
}

/** Bytes in use after collecting what is not. */
function memory(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
