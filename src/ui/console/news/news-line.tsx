// Announces the current place and the number of query matches to screen readers.
import { useEffect, useRef, useState } from 'react'
import { countText } from '../query/query-field.tsx'
import { useConsole } from '../use-console.ts'
import { PAST, placeNews, pointingOf, announcesItself, type Pointing } from './announcer.ts'
import parts from '../canvas/parts.module.css'

/** Announce after this long without changes: places passed quickly are not announced. */
const PAUSE_MS = 400

export function NewsLine() {
  const { timeline, trace, selection, playing, filter, size } = useConsole()
  const { following, at } = selection
  const place = placeNews({ timeline, live: trace.live, following, isPlaying: playing.isPlaying, at })
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
  useEffect(() => {
    const timer = setTimeout(() => {
      const now = pointingOf(document.activeElement)
      const isAnnounced = text.startsWith(PAST) && announcesItself(now, before.current)
      before.current = now
      if (told.current !== text && !isAnnounced) announce(text)
      told.current = text
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
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
  const isReady = text !== undefined
  const latest = useRef(text)
  useEffect(() => {
    latest.current = text
  })
  useEffect(() => {
    // A live trace keeps growing: announce once.
    if (!isReady || isFirst || announced !== '') return
    const timer = setTimeout(() => announce(latest.current ?? ''), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [isReady, isFirst, announced])
  return (
    <p role="status" aria-label="Query" className={parts.unseen}>
      {announced}
    </p>
  )
}
