// A number that is a time, as date and time next to the number.
import { use } from 'react'
import styles from './time-of.module.css'
import { RecordedClockContext, timeText } from './times.ts'

/** Nothing if the value of that name is no time. */
export function TimeOf({ name, value }: { readonly name: string; readonly value: unknown }) {
  const text = timeText(name, value, use(RecordedClockContext))
  return text === undefined ? null : (
    <span className={styles.time} data-time>
      {text}
    </span>
  )
}
