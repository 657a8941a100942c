// The user's words: the title of a report with what its recording says, and the search for them.
import type { Report, ReportGroup } from './rows.ts'

export interface Headline {
  /** The first sentence that the user wrote; without words, what the recording says. */
  readonly title: string
  /** What the recording says, if the title does not. */
  readonly because: string | undefined
}

/** Longest title in characters. */
const LONGEST = 100

/** The words of one report, or the last ones of a group. */
export function headline(
  of: Pick<Report, 'title' | 'note'> | Pick<ReportGroup, 'title' | 'last_note'>,
): Headline {
  const words = firstSentence('note' in of ? of.note : (of.last_note ?? ''))
  return words === '' ? { title: of.title, because: undefined } : { title: words, because: of.title }
}

/** The first sentence in one line, cut after a whole word. */
function firstSentence(text: string): string {
  const words = text.split(/\s+/).filter(word => word !== '')
  const last = words.findIndex(word => /[.!?…]$/.test(word))
  const sentence = words.slice(0, last === -1 ? words.length : last + 1).join(' ')
  if (sentence.length <= LONGEST) return sentence
  const excerpt = sentence.slice(0, LONGEST)
  const end = excerpt.lastIndexOf(' ')
  return `${end > LONGEST / 2 ? excerpt.slice(0, end) : excerpt}…`
}

/**
 * A pattern of `ilike` for texts that contain this one. PostgREST reads `*` as `%` even after a backslash, so
 * that it matches any one character here.
 */
const containing = (text: string): string => `%${text.replace(/[%_\\]/g, '\\$&').replaceAll('*', '_')}%`

/** In a list of conditions, commas and parentheses separate. */
const inList = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

/** Conditions of which one must hold: the text is in the title, or in what a user wrote last. */
export function mentions(text: string): string {
  const pattern = inList(containing(text))
  return `title.ilike.${pattern},last_note.ilike.${pattern}`
}
