// A streaming answer piece by piece, as the pieces came, each with its time; any number of them costs the same.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import { indented } from '../data/editors/json-format.ts'
import { formatMs } from './answer-words.ts'
import styles from './functions.module.css'
import type { Body, Part } from './received.ts'
import { useWentUp } from './use-went-up.ts'

const ROW = 24

export interface AnswerPartsProps {
  readonly body: Body
  readonly isRunning: boolean
}

/** Follows the newest piece until the reader goes up; a chosen one is shown whole below. */
export function AnswerParts({ body, isRunning }: AnswerPartsProps) {
  const { parts, dropped } = body
  const list = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<number>()
  const [follows, setFollows] = useState(true)
  const rows = useVirtualizer({
    count: parts.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW,
    overscan: 8,
  })
  useEffect(() => {
    if (follows && parts.length > 0) rows.scrollToIndex(parts.length - 1)
  }, [follows, parts.length, rows])
  const onScroll = useWentUp(
    () => setFollows(false),
    () => setFollows(true),
  )
  const at = chosen === undefined ? undefined : chosen - dropped
  const choose = (index: number) => {
    const next = Math.max(0, Math.min(parts.length - 1, index))
    setChosen(next + dropped)
    setFollows(false)
    rows.scrollToIndex(next)
  }
  return (
    <div className={styles.stream}>
      <div className={styles.bodyLine}>
        <span className={styles.hint}>
          {parts.length === 0 && isRunning ? 'Nothing has come yet.' : null}
          {dropped > 0 ? `The first ${dropped.toLocaleString('en')} are no longer kept.` : null}
        </span>
        {follows ? null : (
          <Button size="s" variant="quiet" onPress={() => setFollows(true)}>
            Follow the newest
          </Button>
        )}
      </div>
      <div
        ref={list}
        className={styles.partList}
        role="listbox"
        aria-label="Pieces of the answer"
        aria-activedescendant={at === undefined ? undefined : `part-${at}`}
        tabIndex={0}
        data-own-keys
        onScroll={onScroll}
        onClick={({ target }) => {
          const row = target instanceof Element ? target.closest('[role=option]') : null
          const index = Number(row?.getAttribute('data-index') ?? NaN)
          if (!Number.isNaN(index)) choose(index)
        }}
        onKeyDown={event => {
          const places: Readonly<Record<string, number>> = {
            ArrowDown: (at ?? -1) + 1,
            ArrowUp: (at ?? parts.length) - 1,
            Home: 0,
            End: parts.length - 1,
          }
          const next = places[event.key]
          if (next === undefined || parts.length === 0) return
          event.preventDefault()
          choose(next)
        }}
      >
        <div style={{ height: rows.getTotalSize(), position: 'relative' }} role="presentation">
          {rows.getVirtualItems().map(({ index, start }) => {
            const part = parts[index]
            return part === undefined ? null : (
              <PartRow
                key={index + dropped}
                index={index}
                part={part}
                since={parts[index - 1]?.at}
                start={start}
                isChosen={index === at}
              />
            )
          })}
        </div>
      </div>
      {at === undefined || !parts[at] ? null : (
        <textarea
          readOnly
          className={cx(styles.body, styles.chosenPart)}
          aria-label="The chosen piece"
          value={indented(parts[at].text) ?? parts[at].text}
        />
      )}
    </div>
  )
}

interface PartRowProps {
  readonly index: number
  readonly part: Part
  readonly since: number | undefined
  readonly start: number
  readonly isChosen: boolean
}

function PartRow({ index, part, since, start, isChosen }: PartRowProps) {
  return (
    <div
      id={`part-${index}`}
      data-index={index}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className={styles.part}
      style={{ transform: `translateY(${start}px)` }}
    >
      <span className={styles.partAt}>{formatMs(part.at)}</span>
      <span className={styles.partGap}>{since === undefined ? '' : `+${formatMs(part.at - since)}`}</span>
      {part.event === undefined ? null : <span className={styles.partEvent}>{part.event}</span>}
      <span className={styles.partText}>{part.text.replaceAll('\n', ' ⏎ ').slice(0, 500)}</span>
    </div>
  )
}
