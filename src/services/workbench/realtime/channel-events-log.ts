// Converts channel events to log entries.
import type { ChannelEvents, ChannelHandle } from '../../client/index.ts'
import { wallTime } from '../text/wall-time.ts'
import type { NewEntry } from './message-log.ts'
import { nameOf, withoutMark } from './people.ts'

/** Receives each entry; a `note` concerns the channel itself. */
export type LogEvent = (entry: NewEntry) => void

/** A larger difference between the two clocks measures the clocks rather than the latency. */
const CREDIBLE_MS = 60_000

const isReplayed = (meta: unknown): boolean =>
  typeof meta === 'object' && meta !== null && Reflect.get(meta, 'replayed') === true

function changeEntry(change: ChannelEvents['change'], at: number): NewEntry {
  const latency = wallTime(at).getTime() - Date.parse(change.commitTimestamp)
  return {
    at,
    direction: 'in',
    kind: 'change',
    event: `${change.type} ${change.schema}.${change.table}`,
    payload: change,
    ...(latency >= 0 && latency < CREDIBLE_MS && { latency }),
  }
}

/** Listens until the handle is left. */
export function logChannelEvents(handle: ChannelHandle, now: () => number, report: LogEvent): void {
  const entryOf = (kind: NewEntry['kind'], event: string, payload: unknown) =>
    report({ at: now(), direction: kind === 'state' ? 'note' : 'in', kind, event, payload })
  const moved = ({ key, metas }: ChannelEvents['join'], how: string) =>
    report({
      at: now(),
      direction: 'in',
      kind: 'presence',
      event: `${nameOf(key, metas)} ${how}`,
      payload: metas,
      detail: metas.map(withoutMark),
    })
  handle.on('broadcast', ({ event, payload, meta }) =>
    entryOf('broadcast', isReplayed(meta) ? `${event} (replayed)` : event, payload),
  )
  handle.on('change', change => report(changeEntry(change, now())))
  handle.on('join', joined => moved(joined, 'joined'))
  handle.on('leave', left => moved(left, 'left'))
  handle.on('system', ({ extension, status, message }) =>
    entryOf('system', `${extension}: ${status}`, message),
  )
  handle.on('gap', ({ reason = 'no reason given' }) =>
    entryOf('state', 'gap', `row changes may be missing from here on: ${reason}`),
  )
}
