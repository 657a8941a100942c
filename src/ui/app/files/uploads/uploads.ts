// What the list of uploads says: one line for all, and the words for each.
import type { UploadPhase, UploadStatus } from '../../../../index.ts'
import { formatSize } from '../../format.ts'

const OVER: ReadonlySet<UploadPhase> = new Set(['done', 'failed', 'skipped', 'cancelled'])

export const isOver = ({ phase }: UploadStatus): boolean => OVER.has(phase)

/** What waits for somebody first, then what moves, then what is over. */
const ORDER: Readonly<Record<UploadPhase, number>> = {
  asking: 0,
  failed: 1,
  sending: 2,
  checking: 2,
  retrying: 2,
  offline: 2,
  paused: 3,
  waiting: 4,
  skipped: 5,
  cancelled: 5,
  done: 6,
}

/** The order in which they are listed; among equals the oldest stands first. */
export const inOrder = (list: readonly UploadStatus[]): readonly UploadStatus[] =>
  list.toSorted((a, b) => ORDER[a.phase] - ORDER[b.phase])

/** Whether there is anything in the list to look at or to do. */
export const isWorthALook = (list: readonly UploadStatus[]): boolean =>
  list.some(({ phase }) => phase === 'failed' || !OVER.has(phase))

/** How much of it is there, from 0 to 100. */
export const percentOf = ({ bytes, sent, phase }: UploadStatus): number =>
  phase === 'done' ? 100 : bytes === 0 ? 0 : Math.min(99, Math.floor((sent / bytes) * 100))

/** One line for all: how many of how many are there, and what is in the way. */
export function uploadSummary(list: readonly UploadStatus[]): string {
  const count = (phase: UploadPhase) => list.filter(upload => upload.phase === phase).length
  const parts: readonly (readonly [UploadPhase, string])[] = [
    ['asking', 'to be answered'],
    ['failed', 'failed'],
    ['paused', 'paused'],
    ['skipped', 'skipped'],
    ['cancelled', 'cancelled'],
  ]
  const rest = parts.flatMap(([phase, words]) => (count(phase) > 0 ? [`${count(phase)} ${words}`] : []))
  return [`${count('done')} of ${list.length} uploaded`, ...rest].join(', ')
}

/** How much of all of them is there, in bytes; those that are over without success don't count. */
export function totalPercent(list: readonly UploadStatus[]): number {
  const counted = list.filter(({ phase }) => !['failed', 'skipped', 'cancelled'].includes(phase))
  const bytes = counted.reduce((sum, upload) => sum + upload.bytes, 0)
  const sent = counted.reduce(
    (sum, upload) => sum + (upload.phase === 'done' ? upload.bytes : upload.sent),
    0,
  )
  return bytes === 0 ? (counted.every(isOver) ? 100 : 0) : Math.floor((sent / bytes) * 100)
}

/** Where one upload is, in words. */
export function phaseWords(upload: UploadStatus): string {
  const { phase, bytes, sent, attempts, resumable, isStill } = upload
  switch (phase) {
    case 'waiting':
      return 'waiting'
    case 'checking':
      return 'looking for the name'
    case 'asking':
      return 'There is one of this name.'
    case 'sending':
      return (
        (sent === 0 ? 'starting' : `${formatSize(sent)} of ${formatSize(bytes)}`) +
        (isStill !== true ? '' : sent < bytes ? ', nothing moves' : ', no answer yet')
      )
    case 'retrying':
      return `tries again by itself (${attempts}${resumable ? `, goes on at ${formatSize(sent)}` : ''})`
    case 'offline':
      return 'offline, goes on by itself'
    case 'paused':
      return resumable ? `paused at ${formatSize(sent)}` : 'paused'
    case 'done':
      return formatSize(bytes)
    case 'failed':
      return 'failed'
    case 'skipped':
      return 'skipped, there is one of this name'
    case 'cancelled':
      return 'cancelled'
  }
}
