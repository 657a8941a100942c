// Limits for `like` and `ilike` patterns, checked before PostgreSQL evaluates them, because a query cannot be
// interrupted here.

/** Maximum characters of one pattern. */
const MOST_CHARACTERS = 1_000
const MOST_WILDCARDS = 100
/** PostgreSQL compares what follows a `%` at every position of the text, so the time is their product. */
const MOST_SEARCHED = 300

/** Why the patterns may not be evaluated in one query; undefined if they may. */
export function likeProblem(patterns: readonly string[]): string | undefined {
  if (patterns.some(({ length }) => length > MOST_CHARACTERS))
    return `the pattern is longer than ${MOST_CHARACTERS} characters`
  const costs = patterns.map(costOf)
  if (sum(costs.map(({ wildcards }) => wildcards)) > MOST_WILDCARDS)
    return `the patterns of a request have more than ${MOST_WILDCARDS} wildcards`
  return sum(costs.map(({ searched }) => searched)) > MOST_SEARCHED
    ? `the patterns of a request have more than ${MOST_SEARCHED} characters after a wildcard`
    : undefined
}

function costOf(pattern: string) {
  let [wildcards, searched] = [0, 0]
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === '%') wildcards += 1
    else if (wildcards > 0) searched += 1
    if (pattern[at] === '\\') at += 1
  }
  return { wildcards, searched }
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
