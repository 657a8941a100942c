// A number that is a time: date and time first, then the number.
import { type ReactNode, use } from 'react'
import styles from './timed.module.css'
import { RecordedClockContext, timeText } from './times.ts'

interface TimedProps {
  readonly name: string
  readonly value: unknown
  /** The value as text. */
  readonly children: ReactNode
}

/** Only the children if the value of that name is no time. */
export function Timed({ name, value, children }: TimedProps) {
  const text = timeText(name, value, use(RecordedClockContext))
  if (text === undefined) return children
  return (
    <>
      <span className={styles.time}>{text}</span> <span className={styles.number}>{children}</span>
    </>
  )
}
