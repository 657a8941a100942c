// One message of the sequence diagram: an arrow between lifelines with its event's name.
import { memo } from 'react'
import type { Timeline } from '../../../trace/index.ts'
import { cx } from '../../widgets/cx.ts'
import parts from '../canvas/parts.module.css'
import { duration } from '../canvas/time-scale.ts'
import { clockTime, count } from '../text.ts'
import styles from './sequence.module.css'

export interface MessageProps {
  readonly id: string
  readonly timeline: Timeline
  /** The view that handled the message, and the view in the row above; -1 for none. */
  readonly at: number
  readonly before: number
  readonly index: number
  /** Distance from the top, in pixels. */
  readonly start: number
  readonly fromX: number
  readonly toX: number
  /** Right edge of the diagram. */
  readonly right: number
  readonly isChosen: boolean
  /** Sender and receiver. */
  readonly sentence: string
}

/** Space next to a lifeline for the reached state. */
const ROOM = 120
/** Width of an actor's arrow to itself. */
const LOOP = 22
/** Pauses of at least this many milliseconds are shown. */
const PAUSE = 200

export const Message = memo(function Message(props: MessageProps) {
  const { id, timeline, at, before, index, start, fromX, toX, right, isChosen, sentence } = props
  const isFailure = timeline.failed(at)
  const state = timeline.state(at).label
  const isMove = timeline.moved(at) && state !== ''
  const isLoop = fromX === toX
  // A loop goes to the side that has space for its name.
  const isLeft = isLoop ? right - toX < ROOM : toX < fromX
  const isWithin = isLoop && timeline.from(at) !== timeline.actor(at)
  const t = timeline.t(at)
  const pause = before < 0 ? 0 : t - timeline.t(before)
  return (
    <div
      id={id}
      role="row"
      data-seq={at}
      aria-rowindex={index + 1}
      aria-selected={isChosen}
      className={cx(styles.message, isChosen && styles.chosen)}
      style={{ top: start }}
    >
      <span
        role="gridcell"
        className={cx(styles.time, pause >= PAUSE && styles.low)}
        title={`event ${count(at)} at ${clockTime(t)}`}
      >
        {before >= 0 && clockTime(timeline.t(before)) === clockTime(t) ? (
          <span className={parts.unseen}>{clockTime(t)}</span>
        ) : (
          clockTime(t)
        )}
      </span>
      {pause >= PAUSE ? (
        <span aria-hidden className={styles.pause}>
          {duration(pause)} later
        </span>
      ) : null}
      <span
        role="gridcell"
        className={cx(
          styles.arrow,
          isLoop && styles.loop,
          isWithin && styles.within,
          isLeft && styles.left,
          isFailure && styles.failed,
          timeline.injected(at) && styles.injected,
        )}
        style={{
          left: Math.min(fromX, toX) - (isLoop && isLeft ? LOOP : 0),
          width: isLoop ? LOOP : Math.abs(toX - fromX),
        }}
      >
        <span className={styles.type}>{timeline.type(at)}</span>
        <span className={parts.unseen}>
          {sentence}
          {isMove ? `, now ${state}` : ''}
          {isFailure ? ', failed' : ''}
        </span>
      </span>
      {isMove && !isLoop && (isLeft ? toX > ROOM + 72 : right - toX > ROOM) ? (
        <span
          aria-hidden
          className={cx(styles.reached, isLeft && styles.reachedLeft)}
          style={{ left: toX }}
          title={state}
        >
          {state}
        </span>
      ) : null}
    </div>
  )
})
