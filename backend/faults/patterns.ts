// Patterns for paths and topics: globs and regular expressions, both evaluated in linear time.
import { RE2JS, RE2JSSyntaxException } from 're2js'

/** Whether a whole text matches; a `/regex/` may match any part of it. */
export type Matcher = (text: string) => boolean

/** Thrown for an invalid `/regex/`; the message names the mistake. */
export class PatternError extends Error {
  override name = 'PatternError'
}

/** A service path may also end with a slash, which does not make it a regular expression. */
const FAMILY_PATH = /^\/(auth|rest|storage|functions|realtime)\/v1\//

/**
 * Parses `/regex/` or `/regex/i`, and anything else as a glob: `*` within a segment, `**` across, `?` one
 * character.
 */
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
