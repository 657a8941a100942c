// Runs a machine of the workbench as a job: with its own recording, so that it can be inspected and replayed.
import type { AnyStateMachine, EventFromLogic, InputFrom } from 'xstate'
import { type Attached, attachWith } from '../../control/index.ts'
import { createEntropy } from '../../runtime/index.ts'
import type { WorkbenchId } from '../../../machines/specs.ts'
import { workbenchSystem } from '../systems/workbench-system.ts'

/** A started job: its actor, and its recording and control for a console. */
export type Job<Machine extends AnyStateMachine> = Attached<Machine>

export type AnyJob = Job<AnyStateMachine>

/** What a job accepts. */
export type JobEvent<One extends AnyJob> = One extends Job<infer Machine> ? EventFromLogic<Machine> : never

/**
 * Fields with a server's own words, which may contain the values that it refused in any form: as typed, as the database
 * stores them, or as a trigger changed them.
 */
const FOREIGN_TEXTS = ['message', 'refusal', 'body']

/** Starts a machine with its ports. */
export function runJob<Machine extends AnyStateMachine>(
  id: WorkbenchId,
  machine: Machine,
  input: InputFrom<Machine>,
): Job<Machine> {
  // Its machines read nothing from the platform, and compare plain data by value.
  const job = attachWith(machine, { input, system: workbenchSystem(id), redact: { keys: FOREIGN_TEXTS } }, {})
  job.actor.start()
  return job
}

/** A random seed for the delays of a job's retries. */
export const retrySeed = (): number => Math.floor(createEntropy().random() * 2 ** 32)
