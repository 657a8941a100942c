// A trace as the plain sequence of its steps: what a replay must reproduce completely.
import { encodeValue } from '../../src/trace/codec/codec.ts'
import type { ReplayableTrace } from '../../src/trace/format/trace-source.ts'

/** Every step with actors by path and all values as JSON; only times are left out. */
export function stepsOf(trace: ReplayableTrace): unknown[] {
  const path = (index: number | undefined) => (index === undefined ? undefined : trace.actors[index]?.path)
  return trace.steps.map(({ t: _time, ...step }) =>
    encodeValue({ ...step, actor: path(step.actor), from: path(step.from) }),
  )
}
