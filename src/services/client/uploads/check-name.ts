// Checks whether a file name is taken in its folder, and finds a free one.
import { fromCallback, type EventObject } from 'xstate'
import { type CheckNameEvent, numbered } from '../../../machines/index.ts'
import { callStorage, type StorageHost } from './storage-call.ts'

/** Page size of the folder listing. */
const MOST_NAMES = 1000

async function namesLike(host: StorageHost, bucket: string, path: string, signal: AbortSignal) {
  const cut = path.lastIndexOf('/')
  const name = path.slice(cut + 1)
  const dot = name.lastIndexOf('.')
  const response = await callStorage(host, `/object/list/${encodeURIComponent(bucket)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      prefix: path.slice(0, Math.max(cut, 0)),
      // Also finds names that begin with this one, so that numbered copies are included.
      search: dot > 0 ? name.slice(0, dot) : name,
      limit: MOST_NAMES,
      offset: 0,
    }),
    signal,
  })
  if (!response.ok) return undefined
  const listed = (await response.json()) as readonly { readonly name: string }[]
  const folder = cut < 0 ? '' : path.slice(0, cut + 1)
  return new Set(listed.map(one => folder + one.name))
}

function freeBeside(path: string, names: ReadonlySet<string>): string {
  for (let number = 2; ; number++) {
    const free = numbered(path, number)
    if (!names.has(free)) return free
  }
}

export const createCheckNamePort = (host: StorageHost) =>
  fromCallback<EventObject, { readonly bucket: string; readonly path: string }, CheckNameEvent>(
    ({ input: { bucket, path }, sendBack }) => {
      const left = new AbortController()
      const check = async (): Promise<CheckNameEvent> => {
        const names = await namesLike(host, bucket, path, left.signal).catch(() => undefined)
        if (!names) return { type: 'name.unknown' }
        return names.has(path) ? { type: 'name.taken', free: freeBeside(path, names) } : { type: 'name.free' }
      }
      void check().then(event => {
        if (!left.signal.aborted) sendBack(event)
      })
      return () => left.abort()
    },
  )
