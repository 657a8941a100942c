// Announces the current place and the number of query matches to screen readers.
import { useRef, useState } from 'react'
import { useTimeout } from '../../widgets/time.ts'
import { countText } from '../query/query-field.tsx'
import { isPlaying } from '../model/console-machine.ts'
import { useConsole, useConsoleState } from '../use-console.ts'
import parts from '../canvas/parts.module.css'
import type { Timeline } from '../../../trace/index.ts'
import { eventName } from '../text.ts'

/** Data for the announcement of the place. */
interface Standing {
  readonly timeline: Timeline
  readonly live: boolean
  readonly following: boolean
  readonly isPlaying: boolean
  /** The moment; -1 if there is none. */
  readonly at: number
}

/** Prefix for an event that is not the last one. */
const PAST = 'Past, '

/** Returns the same text while there is nothing new to announce. */
export function placeNews({ timeline, live, following, isPlaying, at }: Standing): string {
  if (isPlaying) return 'Playing'
  if (following || at < 0) return live ? 'Live' : 'End of the recording'
  const actor = timeline.actors[timeline.actor(at)]?.path ?? ''
  return `${PAST}${eventName(at)}: ${timeline.type(at)}, ${actor}`
}

/** A focused list and its active row. */
interface Pointing {
  readonly list: Element | null
  readonly row: string | null
}

const pointingOf = (focused: Element | null): Pointing => ({
  list: focused,
  row: focused?.getAttribute('aria-activedescendant') ?? null,
})

/** Whether the focused element announces the place itself: a slider, or a list whose active row changed. */
const announcesItself = (now: Pointing, before: Pointing | undefined): boolean =>
  now.list?.getAttribute('role') === 'slider' ||
  (now.row !== null && now.list === before?.list && now.row !== before.row)

/** Announce after this long without changes: places passed quickly are not announced. */
const PAUSE_MS = 400

export function NewsLine() {
  const { timeline, trace, selection, filter, size } = useConsole()
  const { following, at } = selection
  const place = placeNews({
    timeline,
    live: trace.live,
    following,
    isPlaying: useConsoleState(isPlaying),
    at,
  })
  const isCounted = filter.failure !== undefined || filter.scanned >= size
  // For a growing trace, the count as of when the query was entered.
  const { text } = filter.query
  return (
    <>
      <PlaceLine text={place} />
      <CountLine key={text} isFirst={text === ''} text={isCounted ? countText(filter, size) : undefined} />
    </>
  )
}

function PlaceLine({ text }: { readonly text: string }) {
  const [announced, announce] = useState('')
  const told = useRef(text)
  const before = useRef<Pointing>(undefined)
  const tell = () => {
    const now = pointingOf(document.activeElement)
    const isAnnounced = text.startsWith(PAST) && announcesItself(now, before.current)
    before.current = now
    if (told.current !== text && !isAnnounced) announce(text)
    told.current = text
  }
  useTimeout(tell, PAUSE_MS, text)
  return (
    <p role="status" aria-label="Place" className={parts.unseen}>
      {announced}
    </p>
  )
}

interface CountLineProps {
  /** No query was entered, so the count is not announced. */
  readonly isFirst: boolean
  /** Undefined while counting. */
  readonly text: string | undefined
}

function CountLine({ isFirst, text }: CountLineProps) {
  const [announced, announce] = useState('')
  // A live trace keeps growing: announce once.
  const isNews = text !== undefined && !isFirst && announced === ''
  useTimeout(() => announce(text ?? ''), isNews ? PAUSE_MS : undefined)
  return (
    <p role="status" aria-label="Query" className={parts.unseen}>
      {announced}
    </p>
  )
}
