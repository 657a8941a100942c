// A field that goes to a time or an event.
import { useState, type RefObject } from 'react'
import type { Timeline } from '../../../trace/index.ts'
import { parseMoment } from '../canvas/parse-time.ts'
import { revealing, type Range } from '../canvas/time-scale.ts'
import styles from './timeline.module.css'

export interface GoToTimeProps {
  readonly timeline: Timeline
  readonly field: RefObject<HTMLInputElement | null>
  readonly range: Range
  readonly full: Range
  readonly goTo: (range: Range) => void
  readonly onMoment: (seq: number) => void
  /** Returns the focus to where it was. */
  readonly onLeave: () => void
}

export function GoToTime({ timeline, field, range, full, goTo, onMoment, onLeave }: GoToTimeProps) {
  const [text, setText] = useState('')
  const moment = parseMoment(text)
  const isWrong = text !== '' && moment === undefined
  const go = () => {
    if (!moment) return
    const wanted = 't' in moment ? timeline.countAt(moment.t) - 1 : moment.seq
    const seq = Math.min(Math.max(0, wanted), timeline.size - 1)
    goTo(revealing(range, timeline.t(seq), full))
    onMoment(seq)
    setText('')
    onLeave()
  }
  return (
    <input
      ref={field}
      className={styles.goTo}
      value={text}
      aria-label="Go to time or event"
      aria-invalid={isWrong || undefined}
      placeholder="go to 1:04.8 or #812"
      title="As 1:04.8, 12.5, 400ms, 2min, or #812 for an event"
      onChange={event => setText(event.target.value)}
      onKeyDown={event => {
        if (event.key === 'Enter') go()
        else if (event.key === 'Escape') onLeave()
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )
}
