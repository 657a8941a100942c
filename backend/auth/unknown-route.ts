// Responses to unknown paths and methods, as plain as those of the official server.

interface Route {
  readonly method: string
  readonly path: string
}

/** 405 with the methods that the path has, or else 404. */
export function unknownRoute(routes: readonly Route[], path: string): Response {
  const methods = routes.filter(route => fits(route.path, path)).map(({ method }) => method)
  // Guards of groups of paths are for all methods.
  const allowed = [...new Set(methods)].filter(method => method !== 'ALL')
  if (allowed.length > 0) return new Response(null, { status: 405, headers: { allow: allowed.join(', ') } })
  return new Response('404 page not found\n', {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  })
}

/** Whether a path fits a pattern with parameters such as `:id`. */
function fits(pattern: string, path: string): boolean {
  const [parts, segments] = [pattern.split('/'), path.split('/')]
  return (
    parts.length === segments.length &&
    parts.every((part, index) => part.startsWith(':') || part === segments[index])
  )
}
