// Screen reader announcements of the current place and of query results, but not of each live event.
import type { Timeline } from '../../../trace/index.ts'
import { eventName } from '../text.ts'

/** Data for the announcement of the place. */
export interface Standing {
  readonly timeline: Timeline
  readonly live: boolean
  readonly following: boolean
  readonly isPlaying: boolean
  /** The moment; -1 if there is none. */
  readonly at: number
}

/** Prefix for an event that is not the last one. */
export const PAST = 'Past, '

/** Returns the same text while there is nothing new to announce. */
export function placeNews({ timeline, live, following, isPlaying, at }: Standing): string {
  if (isPlaying) return 'Playing'
  if (following || at < 0) return live ? 'Live' : 'End of the recording'
  const actor = timeline.actors[timeline.actor(at)]?.path ?? ''
  return `${PAST}${eventName(at)}: ${timeline.type(at)}, ${actor}`
}

/** A focused list and its active row. */
export interface Pointing {
  readonly list: Element | null
  readonly row: string | null
}

export const pointingOf = (focused: Element | null): Pointing => ({
  list: focused,
  row: focused?.getAttribute('aria-activedescendant') ?? null,
})

/** Whether the focused element announces the place itself: a slider, or a list whose active row changed. */
export const announcesItself = (now: Pointing, before: Pointing | undefined): boolean =>
  now.list?.getAttribute('role') === 'slider' ||
  (now.row !== null && now.list === before?.list && now.row !== before.row)
