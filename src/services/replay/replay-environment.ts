// What machine code reads of time and random values in a replay: what the tape has.
import type { TapeEntry } from '../../trace/format.ts'
import type { TraceLog } from '../recording/trace-log.ts'
import type { Environment } from '../system-parts.ts'
import type { Placing } from './placing.ts'

/** Reads the tape; a replay that goes its own way writes one of its own. */
export function replayEnvironment(placing: Placing, log: () => TraceLog): Environment {
  const read = (kind: TapeEntry['kind']) => {
    const value = placing.read(kind)
    if (placing.isFree) log().tape({ line: 'tape', kind, value })
    return value
  }
  return {
    now: () => Number(read('now')),
    random: () => Number(read('random')),
    id: () => String(read('id')),
  }
}
