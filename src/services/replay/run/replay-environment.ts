// Time and random values for machine code in a replay, read from the tape.
import type { TapeEntry } from '../../../trace/index.ts'
import type { TraceLog } from '../../recording/index.ts'
import type { Environment } from '../../runtime/index.ts'
import type { RecordResolver } from './record-resolver.ts'

/** Reads the tape. A replay that may diverge also writes its own tape. */
export function replayEnvironment(resolver: RecordResolver, log: () => TraceLog): Environment {
  const read = (kind: TapeEntry['kind']) => {
    const value = resolver.read(kind)
    if (resolver.isFree) log().tape({ line: 'tape', kind, value })
    return value
  }
  return {
    now: () => Number(read('now')),
    random: () => Number(read('random')),
    id: () => String(read('id')),
  }
}
