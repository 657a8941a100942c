// One change as removed and added lines; long texts are compared inline.
import { useMemo, useState, type ReactNode } from 'react'
import { cx } from '../../widgets/cx.ts'
import { plural } from '../text.ts'
import styles from './diff.module.css'
import type { Change } from './diff-walk.ts'
import { describe, inRow, quoted } from './json-nodes.ts'
import { JsonTree } from './json-tree.tsx'
import { dotted, namesOf } from './state-path.ts'
import { Timed } from './timed.tsx'
import { diffWordsWithSpace } from 'diff'

const SHOWN = 120
/** New values with at most this many members are expanded. */
const OPENED = 12

export interface DiffLineProps {
  readonly change: Change
  /** Shows when this value changed. */
  readonly onWhen?: ((pointer: string) => void) | undefined
}

export function DiffLine({ change, onWhen }: DiffLineProps) {
  const { mark, pointer, before, after } = change
  const parts = useMemo(
    () =>
      typeof before === 'string' && typeof after === 'string' && pointer !== '/state'
        ? textDiff(before, after)
        : undefined,
    [before, after, pointer],
  )
  const isName = pointer === '/state' || pointer === '/status'
  const path = <Path pointer={pointer} onWhen={onWhen} />
  // Two values whose previews are equal are shown in full.
  const isClose = mark === 'changed' && inRow(describe(before)) === inRow(describe(after))
  const shared = { isName, isWhole: isClose, name: namesOf(pointer).at(-1) ?? '' }
  if (parts) return <Within path={path} parts={parts} />
  return (
    <>
      {mark === 'added' ? null : <Side sign="−" path={path} value={before} {...shared} />}
      {mark === 'removed' ? null : (
        <Side sign="+" path={mark === 'changed' ? null : path} value={after} {...shared} />
      )}
    </>
  )
}

function Path({ pointer, onWhen }: { readonly pointer: string; readonly onWhen: DiffLineProps['onWhen'] }) {
  const text = dotted(pointer)
  const canAsk = onWhen !== undefined && /^\/(state$|context)/.test(pointer)
  if (!canAsk) return <span className={styles.path}>{text}</span>
  return (
    <button
      type="button"
      className={cx(styles.path, styles.ask)}
      title="Show history"
      onClick={() => onWhen(pointer)}
    >
      {text}
    </button>
  )
}

interface SideProps {
  readonly sign: '+' | '−'
  readonly path: ReactNode
  /** Of the value in its record. */
  readonly name: string
  readonly value: unknown
  /** A state or a status, not a text. */
  readonly isName: boolean
  readonly isWhole: boolean
}

function Side({ sign, path, name, value, isName, isWhole }: SideProps) {
  const node = describe(value)
  const { size, preview } = node
  const [isOpen, setOpen] = useState(sign === '+' && size <= OPENED)
  const text =
    typeof value === 'string' ? (isName ? value : quoted(value, SHOWN)) : isWhole ? preview : inRow(node)
  return (
    <div
      className={cx(
        styles.side,
        sign === '+' ? styles.added : styles.removed,
        path === null && styles.second,
      )}
    >
      <span className={styles.sign} role="img" aria-label={sign === '+' ? 'now' : 'before'}>
        {sign}
      </span>
      {path}
      {size === 0 ? (
        <span className={styles.text} title={node.kind === 'number' ? preview : undefined}>
          <Timed name={name} value={value}>
            {text}
          </Timed>
        </span>
      ) : (
        <button
          type="button"
          className={styles.expand}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? `▾ ${plural(size, 'member')}` : `▸ ${text}`}
        </button>
      )}
      {isOpen && size > 0 ? <JsonTree value={value} label="Content" /> : null}
    </div>
  )
}

function Within({ path, parts }: { readonly path: ReactNode; readonly parts: readonly TextPart[] }) {
  return (
    <div className={cx(styles.side, styles.within)}>
      <span className={styles.sign} role="img" aria-label="text changed">
        ±
      </span>
      {path}
      <span className={styles.text}>
        {parts.map(({ key, text, mark }) => {
          if (mark === 'added') return <ins key={key}>{text}</ins>
          return mark === 'removed' ? <del key={key}>{text}</del> : <span key={key}>{text}</span>
        })}
      </span>
    </div>
  )
}

/** Shorter texts are compared as a whole, since they are read at a glance. */
const SHORT = 16
/** Longer texts are cut to the first difference. */
const LONGEST = 4_000
/** Unchanged text longer than this is shortened in the middle. */
const SAME_SHOWN = 24

interface TextPart {
  /** Index among the parts, which distinguishes parts with the same text. */
  readonly key: number
  readonly text: string
  readonly mark?: 'added' | 'removed'
}

type Part = Omit<TextPart, 'key'>

/** Returns the parts of both texts merged; undefined if showing the texts side by side is as good. */
export function textDiff(before: string, after: string): readonly TextPart[] | undefined {
  if (Math.min(before.length, after.length) < SHORT) return undefined
  const { head, tail } = shared(before, after)
  const was = before.slice(head, before.length - tail)
  const is = after.slice(head, after.length - tail)
  const middle: readonly Part[] =
    was.length + is.length > LONGEST
      ? [
          { text: shortened(was, 200), mark: 'removed' },
          { text: shortened(is, 200), mark: 'added' },
        ]
      : diffWordsWithSpace(was, is).map(part)
  const same =
    before.length - was.length + middle.reduce((sum, { text, mark }) => sum + (mark ? 0 : text.length), 0)
  if (same < before.length / 4) return undefined
  const parts: readonly Part[] = [
    { text: before.slice(0, head) },
    ...middle,
    { text: tail === 0 ? '' : before.slice(-tail) },
  ]
  return parts
    .filter(({ text }) => text !== '')
    .map((one, key, all) => ({
      ...one,
      key,
      ...(!one.mark && { text: left(one.text, key === 0, key === all.length - 1) }),
    }))
}

/** Returns the lengths of the common prefix and suffix, at word boundaries. */
function shared(before: string, after: string): { readonly head: number; readonly tail: number } {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before[head] === after[head]) head += 1
  while (head > 0 && head < most && isWord(before[head - 1]) && isWord(before[head] ?? after[head])) head -= 1
  let tail = 0
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  while (tail > 0 && isWord(before.at(-tail)) && isWord(before.at(-tail - 1))) tail -= 1
  return { head, tail }
}

const isWord = (letter: string | undefined): boolean => letter !== undefined && /[\p{L}\p{N}_]/u.test(letter)

function part({
  value,
  added,
  removed,
}: {
  readonly value: string
  readonly added: boolean
  readonly removed: boolean
}): Part {
  return { text: value, ...(added && { mark: 'added' }), ...(removed && { mark: 'removed' }) }
}

/** Keeps only unchanged text next to a difference. */
function left(text: string, isFirst: boolean, isLast: boolean): string {
  if (text.length <= 2 * SAME_SHOWN) return text
  if (isFirst) return `…${text.slice(-SAME_SHOWN)}`
  if (isLast) return `${text.slice(0, SAME_SHOWN)}…`
  return `${text.slice(0, SAME_SHOWN)}…${text.slice(-SAME_SHOWN)}`
}

const shortened = (text: string, shown: number): string =>
  text.length <= shown ? text : `${text.slice(0, shown)}…`
