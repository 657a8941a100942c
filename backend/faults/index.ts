// Faults on command: what the gateway, realtime, the clock, tests and the console's API use.
import type { MiddlewareHandler } from 'hono'
import { createFaultApi, type FaultApi } from './api.ts'
import { createControl, type FaultControl } from './control.ts'
import { createEngine } from './engine.ts'
import { createHttpFaults, type Env } from './http.ts'
import { createPauses } from './pauses.ts'
import { createSessionFaults } from './sessions.ts'
import { createSocketFaults, type SocketFaults } from './sockets.ts'
import { createUpgradeFaults, type Door } from './upgrades.ts'
import type { Database } from '../database/index.ts'
import type { Tokens } from '../keys/index.ts'
import type { FaultPlan } from './plan.ts'
import type { ShiftableClock } from './shiftable-clock.ts'

export type { FaultControl } from './control.ts'
export type { FaultHit } from './hits.ts'
export type { HeldRequest as Held, HeldAnswer } from './held-requests.ts'
export type { Fault, FaultPlan, FaultWhen, Story } from './plan.ts'
export { FAULT_HEADER } from './http.ts'
export { FaultPlanError } from './parse-plan.ts'
export { readPlanFile } from './plan-file.ts'
export { createShiftableClock } from './shiftable-clock.ts'

export interface FaultParts {
  readonly database: Database
  readonly tokens: Tokens
  readonly clock: ShiftableClock
  /** The initial plan. */
  readonly plan?: FaultPlan | undefined
}

export interface Faults {
  readonly control: FaultControl
  /** Runs for every service request, before its handlers. */
  readonly middleware: MiddlewareHandler<Env>
  /** Handles `/_chartroom/faults`. */
  readonly api: FaultApi
  /** Guards socket upgrades. */
  readonly upgrade: (door: Door) => void
  /** Wraps a socket to disturb its frames. */
  readonly wrap: SocketFaults['wrap']
  /** Releases everything that is held or delayed. */
  stop(): void
}

export function createFaults({ database, tokens, clock, plan }: FaultParts): Faults {
  const [engine, pauses] = [createEngine(clock), createPauses()]
  const sessions = createSessionFaults(database, tokens)
  const control = createControl(engine)
  if (plan) control.replace(plan)
  const api = createFaultApi(control, tokens)
  const upgrade = createUpgradeFaults(engine, pauses)
  return {
    control,
    middleware: createHttpFaults({ engine, pauses, sessions }),
    api,
    upgrade: door => (engine.isQuiet() ? door.open() : upgrade(door)),
    wrap: createSocketFaults({ engine, pauses, sessions }).wrap,
    stop() {
      engine.remove()
      engine.holds.end()
      pauses.end()
      api.end()
    },
  }
}
