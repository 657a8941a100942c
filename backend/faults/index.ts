// Faults on command: what the gateway, realtime, the clock, tests and the console's API need of them.
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
import type { Tokens } from '../keys/tokens.ts'
import type { FaultPlan } from './plan.ts'
import type { ShiftableClock } from './shiftable-clock.ts'

export type { FaultControl } from './control.ts'
export type { FaultHit } from './hits.ts'
export type { Held, HeldAnswer } from './holds.ts'
export type { Fault, FaultPlan, FaultWhen, Story } from './plan.ts'
export { FAULT_HEADER } from './http.ts'
export { FaultPlanError } from './parse-plan.ts'
export { readPlanFile } from './plan-file.ts'
export { createShiftableClock } from './shiftable-clock.ts'

export interface FaultParts {
  readonly database: Database
  readonly tokens: Tokens
  readonly clock: ShiftableClock
  /** What is planned from the start. */
  readonly plan?: FaultPlan | undefined
}

export interface Faults {
  readonly control: FaultControl
  /** For every request of a family, before its own handlers. */
  readonly middleware: MiddlewareHandler<Env>
  /** Answers what lies under `/_chartroom/faults`. */
  readonly api: FaultApi
  /** Stands at the door for sockets. */
  readonly upgrade: (door: Door) => void
  /** Stands between a socket and those who use it. */
  readonly wrap: SocketFaults['wrap']
  /** Lets everything go on that is held or waits. */
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
