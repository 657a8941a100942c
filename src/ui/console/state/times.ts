// Shows numbers that are times as times: of the Unix epoch, or of the recorded client's clock.
import { createContext, useMemo, useSyncExternalStore } from 'react'
import { useDetail } from '../model/use-detail.ts'
import { useConsole } from '../use-console.ts'
import { formatDateTime, onTimeZone, timeZone } from '../../../services/workbench/text/index.ts'

/** The recorded client's clock. */
export interface RecordedClock {
  /** Wall-clock time of the recording's start, in milliseconds since 1970. */
  readonly startedAt: number
  /** The client's time at the recording's start, in milliseconds. */
  readonly offset: number
  /** The zone in which its times are shown. */
  readonly zone: string
}

/** Undefined for a recording without a clock: then only times since 1970 are known. */
export const RecordedClockContext = createContext<RecordedClock | undefined>(undefined)

/** Names such as `expiresAt`, `created_at`, `heldSince`, `exp`. */
const TIME_NAME = /(?:^(?:at|now|exp|iat|nbf)|(?:At|_at|Since|Until|Time|_time))$/

const isIn = (value: number, from: number, to: number) => value >= from && value < to

/** Returns a number of that name as date and time; undefined if it is none. */
export function timeText(name: string, value: unknown, clock: RecordedClock | undefined): string | undefined {
  if (typeof value !== 'number' || !TIME_NAME.test(name)) return undefined
  // From 2001 on; smaller numbers may be anything.
  if (isIn(value, 1e12, 1e13)) return formatDateTime(value)
  if (isIn(value, 1e9, 1e10)) return formatDateTime(value * 1000)
  if (!clock || !isIn(value, -1e9, 1e9)) return undefined
  return formatDateTime(clock.startedAt + value - clock.offset, clock.zone)
}

/** How far to look for a tick, which a client gets at its start and then every few seconds. */
const LOOK_AT = 5_000

/** Returns the clock of a Chartroom client's recording, by its first tick. */
export function useRecordedClock(): RecordedClock | undefined {
  const { timeline, details, header, size } = useConsole()
  const isStarted = size > 0
  const seq = useMemo(() => {
    if (!isStarted) return -1
    for (let at = 0; at < Math.min(timeline.size, LOOK_AT); at++)
      if (timeline.type(at) === 'clock.tick') return at
    return -1
  }, [timeline, isStarted])
  const { record } = useDetail(details, seq)
  const at = seq < 0 ? undefined : record?.event['at']
  const offset = typeof at === 'number' && record ? at - record.t : undefined
  const startedAt = Date.parse(header.startedAt)
  const zone = useSyncExternalStore(onTimeZone, timeZone)
  return useMemo(
    () => (offset === undefined || Number.isNaN(startedAt) ? undefined : { startedAt, offset, zone }),
    [offset, startedAt, zone],
  )
}
