// The steps of a recording that has none, for its explanation; loaded when a user reports.
import type { ReplayableTrace } from '../../trace/index.ts'
import { CLIENT_SYSTEM, composeClient, declaredPorts } from '../client/index.ts'
import { deriveStepsGently } from '../replay/index.ts'

/** Longer recordings would keep the device busy: they are explained where they are read. */
const MOST_STIMULI = 20_000

const systems = { [CLIENT_SYSTEM]: () => composeClient(declaredPorts) }

/** Replays the recording in slices. Undefined if it is too long, or can't be replayed. */
export async function withSteps(trace: ReplayableTrace): Promise<ReplayableTrace | undefined> {
  if (trace.stimuli.length > MOST_STIMULI) return undefined
  const derived = await deriveStepsGently(trace, systems)
  return derived.kind === 'trace' ? derived.trace : undefined
}
