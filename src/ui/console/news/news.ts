// What a screen reader is told of the place: where one came to, and what a query left; never each event of what is live.
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import { eventName } from '../text.ts'

/** What there is to know of the place. */
export interface Standing {
  readonly timeline: Timeline
  readonly live: boolean
  readonly following: boolean
  readonly isPlaying: boolean
  /** The moment; -1 when there is none. */
  readonly at: number
}

/** As it begins when it is about one event among others. */
export const PAST = 'Past, '

/** The same as long as there is nothing to tell. */
export function placeNews({ timeline, live, following, isPlaying, at }: Standing): string {
  if (isPlaying) return 'Playing'
  if (following || at < 0) return live ? 'Live' : 'End of the recording'
  const actor = timeline.actors[timeline.actor(at)]?.path ?? ''
  return `${PAST}${eventName(at)}: ${timeline.type(at)}, ${actor}`
}

/** A focused list, and the row that it points to. */
export interface Pointing {
  readonly list: Element | null
  readonly row: string | null
}

export const pointingOf = (focused: Element | null): Pointing => ({
  list: focused,
  row: focused?.getAttribute('aria-activedescendant') ?? null,
})

/** Whether the focused element tells by itself where one came to: a slider, or a list that points to another row now. */
export const tellsItself = (now: Pointing, before: Pointing | undefined): boolean =>
  now.list?.getAttribute('role') === 'slider' ||
  (now.row !== null && now.list === before?.list && now.row !== before.row)
