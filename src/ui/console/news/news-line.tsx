// The line in which screen readers are told where one came to and how much a query left.
import { useEffect, useRef, useState } from 'react'
import { countText } from '../query/query-field.tsx'
import { useConsole } from '../use-console.ts'
import { PAST, placeNews, pointingOf, tellsItself, type Pointing } from './news.ts'
import parts from '../canvas/parts.module.css'

/** So long nothing may change before it is told: what is passed quickly needs no word. */
const PAUSE_MS = 400

export function NewsLine() {
  const { timeline, trace, selection, playing, filter, size } = useConsole()
  const { following, at } = selection
  const place = placeNews({ timeline, live: trace.live, following, isPlaying: playing.isPlaying, at })
  const isCounted = filter.failure !== undefined || filter.scanned >= size
  // Of what grows, how much was left when it was asked.
  const { text } = filter.query
  return (
    <>
      <PlaceLine text={place} />
      <CountLine key={text} isFirst={text === ''} text={isCounted ? countText(filter, size) : undefined} />
    </>
  )
}

function PlaceLine({ text }: { readonly text: string }) {
  const [said, say] = useState('')
  const told = useRef(text)
  const before = useRef<Pointing>(undefined)
  useEffect(() => {
    const timer = setTimeout(() => {
      const now = pointingOf(document.activeElement)
      const isTold = text.startsWith(PAST) && tellsItself(now, before.current)
      before.current = now
      if (told.current !== text && !isTold) say(text)
      told.current = text
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <p role="status" aria-label="Place" className={parts.unseen}>
      {said}
    </p>
  )
}

interface CountLineProps {
  /** Nothing was asked: nobody wants to know how many there are. */
  readonly isFirst: boolean
  /** Absent while it is counted. */
  readonly text: string | undefined
}

function CountLine({ isFirst, text }: CountLineProps) {
  const [said, say] = useState('')
  const isReady = text !== undefined
  const latest = useRef(text)
  useEffect(() => {
    latest.current = text
  })
  useEffect(() => {
    // What is live grows on: once is enough.
    if (!isReady || isFirst || said !== '') return
    const timer = setTimeout(() => say(latest.current ?? ''), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [isReady, isFirst, said])
  return (
    <p role="status" aria-label="Query" className={parts.unseen}>
      {said}
    </p>
  )
}
