// The speed of uploads over the last seconds, and the time they still need.
import type { UploadStatus } from '../../client/index.ts'
import { formatSpan, formatSize } from '../text/format.ts'

/** Bytes that were sent by a moment, in milliseconds on any clock. */
interface Sample {
  readonly at: number
  readonly sent: number
}

/** Of each upload that is being sent, the oldest first. */
export type SpeedSamples = ReadonlyMap<string, readonly Sample[]>

/** Long enough that parts of a few megabytes do not make the speed jump. */
const WINDOW_MS = 10_000
/** Below that, a speed would be an accident of the first bytes. */
const SHORTEST_MS = 1_000

/** Adds a moment; uploads that are not being sent lose their samples, so that a pause does not count. */
export function withSample(samples: SpeedSamples, list: readonly UploadStatus[], at: number): SpeedSamples {
  const sending = list.filter(({ phase }) => phase === 'sending')
  return new Map(
    sending.map(({ id, sent }) => {
      const earlier = samples.get(id) ?? []
      // A part that failed is sent again.
      const isLess = sent < (earlier.at(-1)?.sent ?? 0)
      const recent = isLess ? [] : earlier.filter(sample => at - sample.at <= WINDOW_MS)
      return [id, [...recent, { at, sent }]]
    }),
  )
}

/** In bytes per second; undefined while unknown. */
function speedOf(samples: SpeedSamples, id: string): number | undefined {
  const samplesOfId = samples.get(id) ?? []
  const [first, last] = [samplesOfId[0], samplesOfId.at(-1)]
  if (first === undefined || last === undefined || last.at - first.at < SHORTEST_MS) return undefined
  return ((last.sent - first.sent) / (last.at - first.at)) * 1_000
}

/** `3.1 MB/s, 5 min left`; undefined while the speed is unknown or nothing moves. */
export function speedText(samples: SpeedSamples, uploads: readonly UploadStatus[]): string | undefined {
  const speeds = uploads.flatMap(({ id }) => speedOf(samples, id) ?? [])
  const speed = speeds.reduce((sum, one) => sum + one, 0)
  if (speed <= 0) return undefined
  const left = uploads.reduce((sum, { bytes, sent }) => sum + bytes - sent, 0)
  return `${formatSize(Math.round(speed))}/s, ${formatSpan(Math.ceil(left / speed) * 1_000)} left`
}
