// Patterns for paths and topics: globs and regular expressions, both in linear time whatever they say.
import { RE2JS, RE2JSSyntaxException } from 're2js'

/** Whether a whole text fits; a `/regex/` may fit any part of it. */
export type Matcher = (text: string) => boolean

/** Thrown for a `/regex/` that can't be read; the message says where it goes wrong. */
export class PatternError extends Error {
  override name = 'PatternError'
}

/** A path of a family may end with a slash too, and is no regular expression for that. */
const FAMILY_PATH = /^\/(auth|rest|storage|functions|realtime)\/v1\//

/** Reads `/regex/` or `/regex/i`, and anything else as a glob: `*` within a segment, `**` across, `?` one character. */
export function createMatcher(pattern: string): Matcher {
  const [, source, flags] = (!FAMILY_PATH.test(pattern) && /^\/(.*)\/(i?)$/s.exec(pattern)) || []
  if (source === undefined || source === '') {
    const glob = RE2JS.compile(fromGlob(pattern), RE2JS.DOTALL)
    return text => glob.matches(text)
  }
  try {
    const compiled = RE2JS.compile(source, flags === 'i' ? RE2JS.CASE_INSENSITIVE : 0)
    return text => compiled.matcher(text).find()
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) throw new PatternError(error.message)
    throw error
  }
}

function fromGlob(glob: string): string {
  const parts = glob.match(/\*\*|\*|\?|[^*?]+/g) ?? []
  return parts
    .map(part => {
      if (part === '**') return '.*'
      if (part === '*') return '[^/]*'
      return part === '?' ? '[^/]' : RE2JS.quote(part)
    })
    .join('')
}
