// A request as a curl command. Recordings contain no secrets, so shell variables replace them.
import type { Wire } from '../../../trace/index.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE'])

/** For POSIX shells. The body is not recorded, so it is read from a file. */
export function curlOf({ method, path }: Pick<Wire, 'method' | 'path'>): string {
  const parts = [
    `curl -X ${/^[A-Z]+$/.test(method) ? method : quoted(method)} "$URL"${quoted(path)}`,
    `-H "apikey: $API_KEY"`,
    `-H "Authorization: Bearer $ACCESS_TOKEN"`,
    ...(WITHOUT_BODY.has(method) ? [] : [`-H 'Content-Type: application/json'`, '--data @body.json']),
  ]
  return parts.join(' \\\n  ')
}
