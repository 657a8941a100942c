// Rolling hashes, which replace the steps in a file without steps.
import type { HashRecord, StepRecord } from '../format/records.ts'
import { hashText } from './hash.ts'
import { hasOmissions, recordText } from '../write/record-line.ts'

/** Number of steps between two hash records. */
const HASH_EVERY = 256

/**
 * The part of a step that a replay must reproduce: everything except its time and transitions, since another
 * path to the same outcome is valid. The same code produces the same key order.
 */
export function comparable(step: StepRecord): string {
  const { t: _time, via: _via, ...rest } = step
  return recordText(rest)
}

export interface RollingHash {
  /** Adds a step, and its line if available; returns a record for every 256th. */
  add(step: StepRecord, line?: string): HashRecord | undefined
  /** The hashes that changed since the last record. */
  record(): HashRecord
  /** The hash of one actor's steps so far. */
  of(actor: number): string | undefined
  /** Number of the first step that was hashed without a part of a value. */
  readonly incomplete: number | undefined
}

/** Hashes the steps of every actor incrementally. */
export function createRollingHash(): RollingHash {
  const hashes = new Map<number, string>()
  const changed = new Set<number>()
  let count = 0
  let incomplete: number | undefined
  const record = (): HashRecord => {
    const actors = [...changed].map(actor => [actor, hashes.get(actor) ?? ''] as const)
    changed.clear()
    return { line: 'hash', after: count, actors: Object.fromEntries(actors) }
  }
  return {
    record,
    of: actor => hashes.get(actor),
    get incomplete() {
      return incomplete
    },
    add(step, line) {
      const text = (line !== undefined && withoutTime(step, line)) || comparable(step)
      if (hasOmissions(text)) incomplete ??= step.seq
      hashes.set(step.actor, hashText(text, hashes.get(step.actor)))
      changed.add(step.actor)
      count += 1
      return count % HASH_EVERY === 0 ? record() : undefined
    },
  }
}

/** Extracts the result of `comparable` from the line; undefined if the line has another key order. */
function withoutTime({ seq, t, via }: StepRecord, line: string): string | undefined {
  const before = `{"line":"step","seq":${seq}`
  const time = `,"t":${t}`
  if (!line.startsWith(before + time)) return undefined
  const end = via ? line.lastIndexOf(',"via":[') : line.length - 1
  return end < 0 ? undefined : `${before}${line.slice(before.length + time.length, end)}}`
}
