// A recording whose beginning is missing, as after its oldest steps were dropped.
import type { TraceSource } from '../../../src/trace/index.ts'

/** Only the steps from this one on, renumbered. */
export const cutTrace = (trace: TraceSource, from: number): TraceSource => ({
  live: false,
  header: trace.header,
  actors: trace.actors,
  stimuli: trace.stimuli,
  steps: trace.steps.slice(from).map(({ by, ...step }, seq) => ({
    ...step,
    seq,
    // A sender that is not there anymore has no number, but the event did not come from outside.
    ...(by !== undefined && { by: by - from }),
  })),
  damage: [],
  version: () => 0,
  subscribe: () => () => undefined,
})
