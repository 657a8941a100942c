// Controls running systems: clock, faults, breakpoints, sandboxes; attaches other apps.
export { attach, type Attached, type AttachOptions, attachWith } from './attach.ts'
export { trackDerivedMachines } from './edit-replay/derived-machines.ts'
export {
  type BackendFault,
  type BackendFaults,
  type BackendPlan,
  createBackendFaults,
  STORIES,
} from './backend-faults.ts'
export type { BreakOn, Breakpoint } from './breakpoints.ts'
export { type ArmedTimer, Control, type ControlState, type WaitingEvent } from './control.ts'
export { ControlPoint } from './control-point.ts'
export { type ControlHandle, createControl } from './create-control.ts'
export type { ActiveFault, Fault, FaultKind } from './fault-kinds.ts'
export type { HoldReason } from './gate.ts'
export type {
  CallContent,
  CapturedCall,
  CapturedFrame,
  CapturedHeader,
  CapturedText,
  NetworkContents,
} from './network-capture.ts'
export { type Means, type PathStep, pathTo } from './path-to.ts'
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'
export {
  createStatelyBridge,
  type StatelyBridge,
  type StatelyBridgeOptions,
} from './stately/stately-bridge.ts'
export { takeMeThere, type Arrival as Taken, type TakeOptions } from './take-me-there.ts'
