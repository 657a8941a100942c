// Patterns in quotes within `and` and `or`: PostgREST removes the quotes, lite makes them a part of the pattern.

const QUOTED = /\.(?:i?like|i?match)(?:\((?:any|all)\))?\.("(?:[^"\\]|\\.)*")/g

/** The values that lite sends for such patterns, with what PostgREST would send. */
function quotedPatterns({ url }: Pick<Request, 'url'>): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [name, value] of new URL(url).searchParams) {
    if (!/(?:^|\.)(?:and|or)$/.test(name)) continue
    for (const [whole, quoted = ''] of value.matchAll(QUOTED)) {
      // Of patterns other than regular expressions.
      const stars = (text: string) => (whole.includes('like') ? text.replaceAll('*', '%') : text)
      found.set(stars(quoted), stars(quoted.slice(1, -1).replaceAll(/\\(.)/g, '$1')))
    }
  }
  return found
}

/** The parameters of a query of the request, with patterns as PostgREST reads them. */
export function withoutQuotes<Value>(
  request: Pick<Request, 'url'>,
  parameters: readonly Value[] | undefined,
): Value[] | undefined {
  if (!parameters || !/(?:like|match)/.test(request.url)) return parameters && [...parameters]
  const patterns = quotedPatterns(request)
  return parameters.map(value =>
    typeof value === 'string' ? ((patterns.get(value) ?? value) as typeof value) : value,
  )
}
