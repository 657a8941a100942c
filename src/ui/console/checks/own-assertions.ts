// Parses the user's assertions.
import { readAssertions } from '../../../trace/index.ts'
import { INVARIANT_NAMES } from './findings.ts'
import type { OwnAssertions } from './checks-context.ts'

/** An example that most machines can fail, as a starting point. */
export const EXAMPLE = `{
  "assertions": [
    {
      "name": "never rejected",
      "says": "No call of this run is rejected.",
      "check": { "never": { "event": "*.rejected" }, "says": "{actor.path} was rejected." }
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
    return { assertions: [], problems: [`Invalid JSON: ${error instanceof Error ? error.message : ''}`] }
  }
  const read = readAssertions(value)
  if (read.kind === 'unusable')
    return { assertions: [], problems: read.problems.map(({ at, message }) => `${at} ${message}`) }
  const taken = read.assertions.filter(({ name }) => INVARIANT_NAMES.has(name))
  if (taken.length > 0)
    return { assertions: [], problems: taken.map(({ name }) => `“${name}” is the name of an invariant`) }
  return { assertions: read.assertions, problems: [] }
}
