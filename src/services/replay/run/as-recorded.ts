// Reuses recorded plain values for replayed steps that match.
import type { Redactor, ReplayableTrace } from '../../../trace/index.ts'
import type { PlainPart } from '../../recording/index.ts'
import { isAlike, type PathOf } from '../verify/alike.ts'

/** Returns the recorded form of a value that matches it, which is much cheaper than converting it again. */
export function asRecorded(
  recorded: ReplayableTrace,
  pathOf: PathOf,
  redactor: Pick<Redactor, 'value'>,
): PlainPart {
  return (live, seq, part) => {
    const known = recorded.steps[seq]?.[part]
    return known !== undefined && isAlike(live, known, pathOf) ? known : redactor.value(live)
  }
}
