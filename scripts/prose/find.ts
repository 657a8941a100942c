// Finds idioms in comments, strings and Markdown that readers have to translate.
import { readFileSync } from 'node:fs'

/** One regular expression a line; each matches from the beginning of a word. */
const phrases = readFileSync(new URL('phrases.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
const PATTERN = new RegExp(String.raw`\b(?:${phrases.join('|')})`, 'gi')

export interface FoundPhrase {
  readonly line: number
  readonly phrase: string
}

/** Phrases to avoid in a file, by line. */
export function findPhrases(path: string, text: string): FoundPhrase[] {
  const found: FoundPhrase[] = []
  for (const [index, line] of proseOf(path, text).split('\n').entries())
    for (const [phrase] of line.matchAll(PATTERN)) found.push({ line: index + 1, phrase: phrase.trim() })
  return found
}

/** Words of prose in a file. */
export const countWords = (path: string, text: string): number =>
  proseOf(path, text).match(/[A-Za-z’']+/g)?.length ?? 0

const BLANK = /[^\n]/g
const blank = (text: string) => text.replace(BLANK, ' ')

/** The text with everything but prose blanked, so that lines keep their numbers. */
function proseOf(path: string, text: string): string {
  if (path.endsWith('.md')) return text.replace(/^```[\s\S]*?^```/gm, blank).replace(/`[^`\n]*`/g, blank)
  let prose = blank(text)
  const show = (start: number, part: string) => {
    prose = prose.slice(0, start) + part + prose.slice(start + part.length)
  }
  for (const { index, 0: part } of text.matchAll(COMMENT)) show(index, part)
  for (const { index, 0: part } of text.matchAll(STRING)) if (/[a-z] [a-z]/.test(part)) show(index, part)
  return prose
}

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm
const STRING = /'[^'\n]*'|"[^"\n]*"|`[^`\n]*`|>[^<>{}\n]*[a-z] [^<>{}\n]*</g
