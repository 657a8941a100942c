// The plain form of what a replay shows: where it came out as recorded it is there already.
import type { ReplayableTrace } from '../../trace/format.ts'
import type { Redactor } from '../../trace/redact.ts'
import type { PlainPart } from '../recording/plain-records.ts'
import { isAlike } from './alike.ts'
import type { PathOf } from './alike.ts'

/** Takes the recorded form for what is like it, which is far cheaper than to make it anew. */
export function asRecorded(
  recorded: ReplayableTrace,
  pathOf: PathOf,
  redactor: Pick<Redactor, 'value'>,
): PlainPart {
  return (live, seq, part) => {
    const known = recorded.views[seq]?.[part]
    return known !== undefined && isAlike(live, known, pathOf) ? known : redactor.value(live)
  }
}
