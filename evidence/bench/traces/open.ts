// Opens a trace file of a million records, compared to reading and parsing the same file line by line.
import type { Benchmark } from '../contract.ts'
import { measured, profileOpening } from './measured.ts'

export const openMillion: Benchmark = {
  name: 'open-1m',
  unit: 'ms',
  peer: 'the same file, read, decompressed and parsed line by line with JSON.parse',
  async measure(samples) {
    const ours: number[] = []
    const peer: number[] = []
    for (let at = 0; at < samples; at++) {
      peer.push(await measured('parse'))
      ours.push(await measured('open'))
    }
    return { ours, peer }
  },
  profile: profileOpening,
}
