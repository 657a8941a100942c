// Rolling hashes, which replace the views in a file without views.
import type { HashRecord, ViewRecord } from './format.ts'
import { hashText } from './hash.ts'
import { recordText } from './record-line.ts'

/** Number of views between two hash records. */
const HASH_EVERY = 256

/**
 * The part of a view that a replay must reproduce: everything except its time and transitions, since another
 * path to the same outcome is valid. The same code produces the same key order.
 */
export function comparable(view: ViewRecord): string {
  const { t: _time, via: _via, ...rest } = view
  return recordText(rest)
}

export interface RollingHash {
  /** Adds a view, and its line if available; returns a record for every 256th. */
  add(view: ViewRecord, line?: string): HashRecord | undefined
  /** The hashes that changed since the last record. */
  record(): HashRecord
  /** The hash of one actor's views so far. */
  of(actor: number): string | undefined
}

/** Hashes the views of every actor incrementally. */
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

/** Extracts the result of `comparable` from the line; undefined if the line has another key order. */
function withoutTime({ seq, t, via }: ViewRecord, line: string): string | undefined {
  const before = `{"line":"view","seq":${seq}`
  const time = `,"t":${t}`
  if (!line.startsWith(before + time)) return undefined
  const end = via ? line.lastIndexOf(',"via":[') : line.length - 1
  return end < 0 ? undefined : `${before}${line.slice(before.length + time.length, end)}}`
}
