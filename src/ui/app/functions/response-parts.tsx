// The chunks of a streaming response, in order and with timestamps; virtualized.
import { useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import { formatCount, formatMs, indented } from '../../../services/workbench/text/index.ts'
import { FollowingList, type RowFrame } from '../following/following-list.tsx'
import styles from './functions.module.css'
import type { Body, Part } from '../../../services/workbench/functions/index.ts'

const ROW = 24

export interface ResponsePartsProps {
  readonly body: Body
  readonly isRunning: boolean
}

/** Follows the newest chunk until the user scrolls up; the selected chunk is shown in full below. */
export function ResponseParts({ body, isRunning }: ResponsePartsProps) {
  const { parts, dropped } = body
  const [chosen, setChosen] = useState<number>()
  const [follows, setFollows] = useState(true)
  const at = chosen === undefined ? -1 : chosen - dropped
  const shown = parts[at]
  return (
    <div className={styles.stream}>
      <div className={styles.bodyLine}>
        <span className={styles.hint}>
          {parts.length === 0 && isRunning ? 'Nothing received yet.' : null}
          {dropped > 0 ? `The first ${formatCount(dropped)} are no longer stored.` : null}
        </span>
        {follows ? null : (
          <Button size="s" variant="quiet" onPress={() => setFollows(true)}>
            Follow newest
          </Button>
        )}
      </div>
      <FollowingList
        label="Response chunks"
        className={styles.partList}
        items={parts}
        idOf={(_part, index) => `part-${index + dropped}`}
        height={ROW}
        follows={follows}
        onFollow={setFollows}
        chosen={at}
        onChoose={index => {
          setChosen(index + dropped)
          setFollows(false)
        }}
      >
        {(part, frame, index) => (
          <PartRow key={frame.id} part={part} frame={frame} since={parts[index - 1]?.at} />
        )}
      </FollowingList>
      {shown === undefined ? null : (
        <textarea
          readOnly
          className={cx(styles.body, styles.chosenPart)}
          aria-label="Selected chunk"
          value={indented(shown.text) ?? shown.text}
        />
      )}
    </div>
  )
}

interface PartRowProps {
  readonly part: Part
  readonly frame: RowFrame
  readonly since: number | undefined
}

function PartRow({ part, frame, since }: PartRowProps) {
  return (
    <div {...frame} className={styles.part}>
      <span className={styles.partAt}>{formatMs(part.at)}</span>
      <span className={styles.partGap}>{since === undefined ? '' : `+${formatMs(part.at - since)}`}</span>
      {part.event === undefined ? null : <span className={styles.partEvent}>{part.event}</span>}
      <span className={styles.partText}>{part.text.replaceAll('\n', ' ⏎ ').slice(0, 500)}</span>
    </div>
  )
}
