// What differs inside two texts, word by word; of long ones only the part around what differs.
import { diffWordsWithSpace } from 'diff'

/** Texts that are shorter are compared as a whole: they are seen at a glance. */
const SHORT = 16
/** Longer ones are cut to what differs first: nobody reads more. */
const LONGEST = 4_000
/** What is the same and longer than this is left out in its middle. */
const SAME_SHOWN = 24

export interface TextPart {
  /** Its place among the parts, which is all that tells two of one text apart. */
  readonly key: number
  readonly text: string
  readonly mark?: 'added' | 'removed'
}

type Part = Omit<TextPart, 'key'>

/** The parts of both texts in one; nothing where that would tell no more than the two side by side. */
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

/** How much of both ends is the same, up to the ends of words. */
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

/** Of what is the same, only what stands next to a difference. */
function left(text: string, isFirst: boolean, isLast: boolean): string {
  if (text.length <= 2 * SAME_SHOWN) return text
  if (isFirst) return `…${text.slice(-SAME_SHOWN)}`
  if (isLast) return `${text.slice(0, SAME_SHOWN)}…`
  return `${text.slice(0, SAME_SHOWN)}…${text.slice(-SAME_SHOWN)}`
}

const shortened = (text: string, shown: number): string =>
  text.length <= shown ? text : `${text.slice(0, shown)}…`
