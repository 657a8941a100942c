// One message of the sequence diagram: an arrow from lifeline to lifeline with the name of its event.
import { memo } from 'react'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import { cx } from '../../widgets/cx.ts'
import { clockTime, count } from '../text.ts'
import styles from './sequence.module.css'

export interface MessageProps {
  readonly timeline: Timeline
  /** The view that took the message. */
  readonly at: number
  readonly index: number
  /** Pixels from the top. */
  readonly start: number
  readonly fromX: number
  readonly toX: number
  readonly isChosen: boolean
  /** From whom to whom. */
  readonly sentence: string
}

/** Left of a lifeline there may be too little room for the state that was reached. */
const ROOM = 210

export const Message = memo(function Message(props: MessageProps) {
  const { timeline, at, index, start, fromX, toX, isChosen, sentence } = props
  const isFailure = timeline.failed(at)
  const state = timeline.state(at).label
  const isMove = timeline.moved(at) && state !== ''
  return (
    <div
      id={`message-${at}`}
      role="row"
      data-seq={at}
      aria-rowindex={index + 1}
      aria-selected={isChosen}
      className={cx(styles.message, isChosen && styles.chosen)}
      style={{ transform: `translateY(${start}px)` }}
    >
      <span role="gridcell" className={styles.time} title={`event ${count(at)}`}>
        {clockTime(timeline.t(at))}
      </span>
      <span
        role="gridcell"
        className={cx(
          styles.arrow,
          toX < fromX && styles.left,
          isFailure && styles.failed,
          timeline.injected(at) && styles.injected,
        )}
        style={{ left: Math.min(fromX, toX), width: Math.abs(toX - fromX) }}
      >
        <span className={styles.type}>{timeline.type(at)}</span>
        <span className={styles.unseen}>
          {sentence}
          {isMove ? `, now ${state}` : ''}
          {isFailure ? ', failed' : ''}
        </span>
      </span>
      {isMove && (toX >= fromX || toX > ROOM) ? (
        <span
          aria-hidden
          className={cx(styles.reached, toX < fromX && styles.reachedLeft)}
          style={{ left: toX }}
          title={state}
        >
          {state}
        </span>
      ) : null}
    </div>
  )
})
