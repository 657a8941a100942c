// Reads text files of a project, and explains what is no text.
import { readFileSync } from 'node:fs'
import { ProjectError } from './errors.ts'

export interface Text {
  /** Without a byte order mark, which some editors write at the start, and which names the encoding. */
  readonly text: string
  /** Why PostgreSQL would refuse it. */
  readonly problem?: ProjectError
}

/** @param name what an error calls the file */
export function readText(path: string, name: string): Text {
  const bytes = readFileSync(path)
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return checked(new TextDecoder('utf-16le').decode(bytes), name)
  if (first === 0xfe && second === 0xff) return checked(new TextDecoder('utf-16be').decode(bytes), name)
  const text = new TextDecoder().decode(bytes)
  // Only a character that cannot be decoded becomes this one, unless the file has it.
  const line = text.includes('\uFFFD') ? lineOfInvalid(bytes) : undefined
  if (line === undefined) return checked(text, name)
  const problem = new ProjectError(
    name,
    line,
    'this line is not valid UTF-8, so PostgreSQL refuses the file. It may be in Latin-1 or Windows-1252: save it as UTF-8.',
  )
  return { text, problem }
}

/** The first line that is no UTF-8. */
function lineOfInvalid(bytes: Buffer): number | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  for (let start = 0; start < bytes.length; line += 1) {
    const newline = bytes.indexOf('\n', start)
    const end = newline === -1 ? bytes.length : newline + 1
    try {
      decoder.decode(bytes.subarray(start, end))
    } catch {
      return line
    }
    start = end
  }
  return undefined
}

function checked(text: string, name: string): Text {
  const at = text.indexOf('\0')
  if (at === -1) return { text }
  const line = text.slice(0, at).split('\n').length
  const isWide = text[at + 2] === '\0' || text[at - 2] === '\0'
  const fix = isWide
    ? 'The file seems to be in UTF-16 without a byte order mark: save it as UTF-8.'
    : 'Remove it.'
  const problem = new ProjectError(name, line, `contains a NUL character, which PostgreSQL refuses. ${fix}`)
  return { text, problem }
}
