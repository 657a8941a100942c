// Kept recordings with a change, as if recorded with other machines.
import { readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'

/** Returns a trace with the state after one event changed. */
export function otherwise(file: string, type: string): Buffer {
  const lines = gunzipSync(readFileSync(file)).toString().split('\n')
  const at = lines.findIndex(line => line.includes(`"event":{"type":"${type}"`) && line.includes('"value"'))
  const view = JSON.parse(lines[at] ?? '') as object
  return gzipSync(lines.with(at, JSON.stringify({ ...view, value: 'elsewhere' })).join('\n'))
}
