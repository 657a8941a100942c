// Patterns of the redirect allow-list: * stops at the separators `.` and `/`, ** does not.

import { RE2JS } from 're2js'

/**
 * Compiles a pattern into a function that tests whole strings. Supports `*`, `**`, `?`, `[abc]`, `[!a-z]`,
 * `{one,two}` and a backslash before any of them. An invalid pattern only matches itself.
 */
export function compileGlob(pattern: string): (text: string) => boolean {
  const source = translate(pattern)
  if (source === undefined) return text => text === pattern
  const expression = RE2JS.compile(source, RE2JS.DOTALL)
  return text => expression.testExact(text)
}

const NOT_SEPARATOR = '[^./]'
const TOKEN = /\\(?<escaped>.)|\*{2,}|\*|\?|\[(?<negated>!?)(?<set>[^[\]]+)\]|[{},]|./gsu

/** The regular expression of a pattern; undefined for unbalanced braces or an invalid set. */
function translate(pattern: string): string | undefined {
  let depth = 0
  let source = ''
  for (const { 0: token, groups } of pattern.matchAll(TOKEN)) {
    depth += token === '{' ? 1 : token === '}' ? -1 : 0
    if (depth < 0) return undefined
    const part = groups?.set === undefined ? translateToken(token, groups?.escaped, depth) : setOf(groups)
    if (part === undefined) return undefined
    source += part
  }
  return depth === 0 ? source : undefined
}

function translateToken(token: string, escaped: string | undefined, depth: number): string {
  if (escaped !== undefined) return literally(escaped)
  if (token.startsWith('**')) return '.*'
  if (token === '*') return `${NOT_SEPARATOR}*`
  if (token === '?') return NOT_SEPARATOR
  if (token === '{') return '(?:'
  if (token === '}') return ')'
  return token === ',' && depth > 0 ? '|' : literally(token)
}

function setOf({ negated, set = '' }: Record<string, string | undefined>): string | undefined {
  const range = /^(.)-(.)$/su.exec(set)
  if (range && (range[1] ?? '') > (range[2] ?? '')) return undefined
  const body = range ? `${literally(range[1] ?? '')}-${literally(range[2] ?? '')}` : literally(set)
  return `[${negated ? '^' : ''}${body}]`
}

function literally(text: string): string {
  return text.replace(/[^A-Za-z0-9]/gu, character => `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}
