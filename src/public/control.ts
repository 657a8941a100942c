// The public entry `chartroom/control`: drives a running client or any XState system.
export { createControl, type ControlHandle } from '../services/control/create-control.ts'
export type { ArmedTimer, Control, ControlState, WaitingEvent } from '../services/control/control.ts'
export {
  createBackendFaults,
  STORIES,
  type BackendFault,
  type BackendFaults,
  type BackendPlan,
} from '../services/control/backend-faults.ts'
export type { Breakpoint, BreakOn } from '../services/control/breakpoints.ts'
export type { ActiveFault, Fault, FaultKind } from '../services/control/fault-kinds.ts'
export { pathTo, type Means, type PathStep } from '../services/control/path-to.ts'
export { takeMeThere, type TakeOptions, type Taken } from '../services/control/take-me-there.ts'
export type { HoldReason } from '../services/control/gate.ts'
