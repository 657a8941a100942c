// The trouble of a backend at a past time, from the recording of its health.
import { batchOf, type StepRecord, type TraceSource } from '../../../trace/index.ts'
import type { ClientStatus } from '../../client/index.ts'
import { backendTrouble, type BackendTrouble } from './backend-status.ts'

type Health = Parameters<typeof backendTrouble>[0]

/** Every event of the health machine has the client's time. */
const timeOf = ({ event }: StepRecord): number => (typeof event['at'] === 'number' ? event['at'] : -Infinity)

/**
 * @param trace the recording of the backend's health
 * @param status the client's status at that time
 * @param now client time in ms
 */
export function recordedTrouble(
  trace: TraceSource,
  status: ClientStatus,
  now: number,
): BackendTrouble | undefined {
  const { steps, actors } = batchOf(trace, 0)
  const isRoot = ({ actor }: StepRecord) => actors[actor]?.parent === undefined
  const step = steps.findLast(one => isRoot(one) && timeOf(one) <= now)
  if (!step) return undefined
  // The recording is of this version's machine, so the step has the types of its snapshot.
  const trouble = backendTrouble(step as unknown as Health, status)
  return trouble && { ...trouble, since: trouble.since ?? now }
}
