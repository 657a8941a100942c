// Rolling hashes: what remains of the views in a file that leaves them out.
import type { HashRecord, ViewRecord } from './format.ts'
import { hashText } from './hash.ts'
import { recordText } from './record-line.ts'

/** How many views lie between two hash records. */
const HASH_EVERY = 256

/**
 * The part of a view that a replay must reproduce: all but its time and the transitions, since another way to the
 * same outcome is none the worse. The same code gives the same order of keys.
 */
export function comparable(view: ViewRecord): string {
  const { t: _time, via: _via, ...rest } = view
  return recordText(rest)
}

export interface RollingHash {
  /** Takes one more view, and its line where that was made already; gives a record at every 256th. */
  add(view: ViewRecord, line?: string): HashRecord | undefined
  /** The hashes that changed since the last record. */
  record(): HashRecord
  /** The hash of one actor's views so far. */
  of(actor: number): string | undefined
}

/** Hashes the views of every actor as they come. */
export function createRollingHash(): RollingHash {
  const hashes = new Map<number, string>()
  const changed = new Set<number>()
  let count = 0
  const record = (): HashRecord => {
    const actors = [...changed].map(actor => [actor, hashes.get(actor) ?? ''] as const)
    changed.clear()
    return { line: 'hash', after: count, actors: Object.fromEntries(actors) }
  }
  return {
    record,
    of: actor => hashes.get(actor),
    add(view, line) {
      const text = (line !== undefined && withoutTime(view, line)) || comparable(view)
      hashes.set(view.actor, hashText(text, hashes.get(view.actor)))
      changed.add(view.actor)
      count += 1
      return count % HASH_EVERY === 0 ? record() : undefined
    },
  }
}

/** What `comparable` gives, taken out of the line; nothing when the line has another order of keys. */
function withoutTime({ seq, t, via }: ViewRecord, line: string): string | undefined {
  const before = `{"line":"view","seq":${seq}`
  const time = `,"t":${t}`
  if (!line.startsWith(before + time)) return undefined
  const end = via ? line.lastIndexOf(',"via":[') : line.length - 1
  return end < 0 ? undefined : `${before}${line.slice(before.length + time.length, end)}}`
}
