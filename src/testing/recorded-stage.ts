// The stage of a recorded run, for tests that `chartroom test` writes.
import type { ComposeSystem } from '../services/runtime/index.ts'
import { deriveSteps, type RecordedStage, stageRecording } from '../services/replay/index.ts'
import { type Machines, toSystems, toTrace, type TraceLike } from './matchers.ts'

/**
 * Repeats a recording with these machines, by default Chartroom's own. Steps that were not recorded are derived
 * with the same machines.
 * @throws TypeError with the reason if the recording cannot be used
 */
export async function recordedStage(
  recording: TraceLike,
  machines?: Machines | ComposeSystem,
): Promise<RecordedStage> {
  const trace = await toTrace(recording)
  const { system: name } = trace.header
  const system = typeof machines === 'function' ? machines : toSystems(machines, trace)[name]
  if (!system) throw new TypeError(`There is no system "${name}" among the given machines.`)
  const derived = deriveSteps(trace, { [name]: system })
  if (derived.kind !== 'trace') throw new TypeError(derived.message)
  return stageRecording(derived.trace, system)
}
