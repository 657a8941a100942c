// Judges whether memory grows, within one process and over the whole run.
import type { MemorySample } from './server.ts'

/** Tolerated difference of a busy heap between two samples. */
const TOLERATED_SHARE = 0.15
const TOLERATED_MEGABYTES = 64
/** A process still grows right after its start. */
const WARM_UP_SECONDS = 30
const FEWEST_SAMPLES = 30

export interface MemoryAssessment {
  readonly what: string
  readonly beforeMegabytes: number
  readonly afterMegabytes: number
  readonly grows: boolean
}

/** Compares the medians of the first and second half of the samples, without the first third. */
export function assessMemory(samples: readonly MemorySample[]): readonly MemoryAssessment[] {
  const lives = Map.groupBy(samples, sample => sample.life)
  const warm = [...lives.values()].map(life => {
    const begin = life[0]?.at ?? 0
    return life.filter(({ at }) => at - begin > WARM_UP_SECONDS)
  })
  const groups = [
    ['all processes', warm.flat()] as const,
    ...warm.map((life, at) => [`process ${at + 1}`, life] as const),
  ]
  return groups.flatMap(([what, group]) => {
    const [first, last] = [group[0]?.at ?? 0, group.at(-1)?.at ?? 0]
    const settled = group.filter(({ at }) => at - first >= (last - first) / 3)
    return settled.length < FEWEST_SAMPLES ? [] : [compare(what, settled)]
  })
}

function compare(what: string, samples: readonly MemorySample[]): MemoryAssessment {
  const half = Math.floor(samples.length / 2)
  const [beforeMegabytes, afterMegabytes] = [median(samples.slice(0, half)), median(samples.slice(half))]
  const limit = beforeMegabytes * (1 + TOLERATED_SHARE) + TOLERATED_MEGABYTES
  return { what, beforeMegabytes, afterMegabytes, grows: afterMegabytes > limit }
}

function median(samples: readonly MemorySample[]): number {
  const sorted = samples.map(({ megabytes }) => megabytes).sort((a, b) => a - b)
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)
}
