// Word-level difference of two texts; long texts are reduced to the part around the difference.
import { diffWordsWithSpace } from 'diff'

/** Shorter texts are compared as a whole, since they are read at a glance. */
const SHORT = 16
/** Longer texts are cut to the first difference. */
const LONGEST = 4_000
/** Unchanged text longer than this is shortened in the middle. */
const SAME_SHOWN = 24

export interface TextPart {
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
