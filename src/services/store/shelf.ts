// The shelf: where a store puts its bytes. Files and databases are shelves; what goes when is the keeper's to say.
import type { StoredRecording } from './trace-store.ts'

/** One segment of a stored recording. */
export interface StoredSegment {
  readonly number: number
  /** Milliseconds from the beginning of the recording to that of the segment. */
  readonly at: number
  readonly isRestorable: boolean
  readonly stimuli: number
  readonly views: number
  readonly bytes: number
}

/** What is known of a recording besides its lines. */
export interface Card {
  readonly id: string
  readonly system: string
  readonly startedAt: string
  readonly writer: string
  readonly kept: boolean
  readonly closed: boolean
  readonly shortened: boolean
  readonly duration: number
  /** In the order of time. */
  readonly segments: readonly StoredSegment[]
}

/** Rejects with what the device said. */
export interface Shelf {
  /** In any order. */
  cards(): Promise<Card[]>
  put(card: Card): Promise<void>
  /** Adds lines to the recording's last segment and puts its card, both or neither; the card then has its new size. */
  append(card: Card, text: string): Promise<Card>
  /** Packs the last segment, when nothing is added to it any more. */
  pack(card: Card): Promise<Card>
  /** The lines of a segment; whole chunks only. */
  read(id: string, segment: number): Promise<string>
  /** Adds lines to a segment that may be packed; nothing when it is gone. */
  amend(id: string, segment: number, text: string): Promise<void>
  /** Exchanges text in every segment of a recording. */
  replace(id: string, edit: (text: string) => string): Promise<void>
  removeSegment(id: string, segment: number): Promise<void>
  remove(id: string): Promise<void>
  /** Marks a recording as being written, until this writer ends it or is gone. */
  hold(id: string): Promise<() => void>
  /** The recordings that somebody writes now. */
  held(): Promise<ReadonlySet<string>>
  /** Bytes that may be used in all, as far as the device tells. */
  quota(): Promise<number | undefined>
  close(): void
}

/** Whether this says that the device has no room left. */
export function isFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown }
  return name === 'QuotaExceededError' || code === 'ENOSPC' || code === 'EDQUOT'
}

/** Bytes of a recording. */
export function bytesOf({ segments }: Card): number {
  return segments.reduce((sum, segment) => sum + segment.bytes, 0)
}

/** The segment that is written to. */
export function lastOf({ segments }: Card): StoredSegment {
  const last = segments.at(-1)
  if (!last) throw new Error('There is no segment to write to.')
  return last
}

/** The card with something else said of its last segment. */
export function withLast(card: Card, changes: Partial<StoredSegment>): Card {
  return { ...card, segments: [...card.segments.slice(0, -1), { ...lastOf(card), ...changes }] }
}

/** The card in words of the store; `held` are the ids of those that somebody writes now. */
export function toRecording(card: Card, held: ReadonlySet<string>): StoredRecording {
  const { id, system, startedAt, writer, kept, shortened, segments } = card
  return {
    id,
    system,
    startedAt,
    duration: card.duration - (segments[0]?.at ?? 0),
    stimuli: segments.reduce((sum, segment) => sum + segment.stimuli, 0),
    views: segments.reduce((sum, segment) => sum + segment.views, 0),
    bytes: bytesOf(card),
    state: card.closed ? 'closed' : held.has(id) ? 'running' : 'cutOff',
    writer,
    kept,
    shortened,
  }
}
