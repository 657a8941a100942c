// The user's own assertions: what can be read from a text.
import { readAssertions } from '../../../trace/assert/read.ts'
import { INVARIANT_NAMES } from './findings.ts'
import type { OwnAssertions } from './judge-context.ts'

/** One of a kind that most machines can break, to begin with. */
export const EXAMPLE = `{
  "assertions": [
    {
      "name": "never rejected",
      "says": "No call of this run is turned down.",
      "check": { "never": { "event": "*.rejected" }, "says": "{actor.path} was turned down." }
    }
  ]
}
`

export function readOwn(text: string): OwnAssertions {
  if (text.trim() === '') return { assertions: [], problems: [] }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { assertions: [], problems: [`This is no JSON: ${error instanceof Error ? error.message : ''}`] }
  }
  const read = readAssertions(value)
  if (read.kind === 'unusable')
    return { assertions: [], problems: read.problems.map(({ at, message }) => `${at} ${message}`) }
  const taken = read.assertions.filter(({ name }) => INVARIANT_NAMES.has(name))
  if (taken.length > 0)
    return { assertions: [], problems: taken.map(({ name }) => `“${name}” is the name of an invariant`) }
  return { assertions: read.assertions, problems: [] }
}
