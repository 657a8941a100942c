// Seeks in a trace of a million records: the states of all living actors at a random step.
import { median, type Benchmark } from '../contract.ts'
import { measured, type Sought } from './measured.ts'

export const seekMillion: Benchmark = {
  name: 'seek-1m',
  unit: 'ms',
  peer: 'one read of the same file up to such a step',
  async measure(samples) {
    const all: Sought[] = []
    const peer: number[] = []
    for (let at = 0; at < samples; at++) {
      const sought = await measured<Sought>('seek', at + 1)
      all.push(sought)
      peer.push(await measured<number>('reach', at + 1, sought.steps))
    }
    const [first] = all
    const middle = (part: keyof Sought) => median(all.map(one => one[part]))
    if (first)
      console.error(
        `seek-1m: the p99 of 1000 seeks in ${first.steps} steps, ${first.stimuli} stimuli and ${first.actors} ` +
          `actors, ${megabytes(first.disk)} MB on disk; ${middle('processor').toFixed(1)} ms of processor time; memory ` +
          `after opening ${megabytes(middle('opened'))} MB, after the seeks ${megabytes(middle('used'))} MB ` +
          `(heap and array buffers). Garbage was collected during ${middle('collected')} seeks, ` +
          `${Math.round(100 * middle('collectedOfSlowest'))} % of the slowest hundredth; the p99 of the others is ` +
          `${middle('calm').toFixed(1)} ms`,
      )
    return { ours: all.map(({ p99 }) => p99), peer }
  },
}

function megabytes(bytes: number): number {
  return Number((bytes / 1e6).toFixed(1))
}
