// The public entry `chartroom/replay`: reads a trace, replays it and reports whether the replay matches.
export { systems } from '../services/workbench/systems/known-systems.ts'
export { createRecorder, type Recorder, type RecorderOptions } from '../services/recording/recorder.ts'
export { record, type RecordOptions } from '../services/recording/record.ts'
export type { Recording } from '../services/recording/system-recording.ts'
export type { GivenSchemas } from '../services/runtime/given-schemas.ts'
export type { RedactionPolicy } from '../trace/redact/secrets.ts'
export { env } from '../services/runtime/ambient-env.ts'
export { ReplayRun, type ReplayRunOptions } from '../services/replay/run/replay-run.ts'
export { drive, makeDrive } from '../services/replay/drive/drive.ts'
export type { Drive, DriveOptions, DriveStep } from '../services/replay/drive/drive-run.ts'
export {
  breaks,
  failsWhen,
  minimize,
  type DrivenRun,
  type Failing,
  type MinimizeOptions,
  type MinimizeResult,
} from '../services/replay/minimize/minimize.ts'
export type { DriveReport } from '../services/replay/drive/drive-report.ts'
export type { Edit } from '../services/replay/drive/edits.ts'
export { branch, type BranchOptions } from '../services/replay/playback/branch.ts'
export type { Branch, LiveOptions } from '../services/replay/playback/resume-live.ts'
export { createSandbox, type Sandbox, type SandboxOptions } from '../services/control/sandbox.ts'
export {
  deriveSteps,
  deriveStepsGently,
  type DeriveOptions,
  type DeriveResult,
} from '../services/replay/playback/derive-steps.ts'
export { createReplay } from '../services/replay/playback/playback.ts'
export type {
  Progress,
  Replay,
  ReplayOptions,
  RunEnd,
  SentEvent,
} from '../services/replay/playback/replay-types.ts'
export type { Pace, PaceClock } from '../services/replay/playback/pacing.ts'
export type { LiveActor } from '../services/replay/playback/live-actors.ts'
export { verify, type ReplayReport, type VerifyOptions } from '../services/replay/verify/verify.ts'
export type { MachineDifference, SystemRegistry } from '../services/replay/verify/find-system.ts'
export { coverage } from '../services/replay/coverage/coverage.ts'
export { stageTimes, type StageTimes } from '../services/replay/drive/stage-times.ts'
export {
  describeDetours,
  describeDivergence,
  describeSilentChanges,
} from '../services/replay/verify/describe-divergence.ts'
export type { Divergence, StepSummary } from '../services/replay/verify/divergence.ts'

export type { ComposeSystem, Environment, SystemParts } from '../services/runtime/system-parts.ts'
export { openTrace, type OpenResult } from '../trace/model/open-trace.ts'
export type { ActorState, TraceModel } from '../trace/model/trace-model.ts'
export type { ByteInput, ByteSource } from '../trace/read/source.ts'
export type { CoverageReport, CoverageTotals, MachineCoverage, Share } from '../trace/coverage/coverage.ts'
export {
  checkThresholds,
  mergeCoverage,
  selectMachines,
  type Shortfall,
  type Thresholds,
} from '../trace/coverage/merge.ts'
export { readTrace, type ReadOptions, type ReadResult, type UnusableReason } from '../trace/read/decode.ts'
export {
  createLineEncoder,
  encodeFile,
  encodeLines,
  type EncodeOptions,
  type LineEncoder,
} from '../trace/write/encode.ts'
export { ExportError } from '../trace/exports/export-error.ts'
export {
  EXPORT_FORMATS,
  exportPieces,
  exportTrace,
  type ExportFormat,
  type ExportOptions,
} from '../trace/exports/export-trace.ts'
export { vitestTest, type TestOptions } from '../trace/exports/vitest-test.ts'
export type { ReplayableTrace, TraceSource } from '../trace/format/format.ts'
export {
  after,
  alternates,
  always,
  and,
  assertion,
  atMost,
  atRest,
  calms,
  closes,
  count,
  each,
  eventually,
  never,
  not,
  or,
  precedes,
  responds,
  watch,
} from '../trace/assert/build.ts'
export { checkTrace, createAssertionWatch, type CheckOptions } from '../trace/assert/check.ts'
export { checkModel, type CheckModelOptions } from '../trace/assert/check-model.ts'
export type { AssertionResult, CheckReport } from '../trace/assert/report.ts'
export {
  describeAssertionFailure,
  type AssertionFailure,
  type RecordSummary,
} from '../trace/assert/failure.ts'
export type { Assertion, Formula } from '../trace/assert/formulas.ts'
export type {
  ActorPattern,
  Comparison,
  Key,
  Pattern,
  Span,
  StepPattern,
  Within,
} from '../trace/assert/language.ts'
export { readAssertions, type ReadAssertions } from '../trace/assert/read.ts'
export type { ObservedStep } from '../trace/assert/steps.ts'
export { stepsOf, type MachinePattern } from '../trace/assert/typed.ts'
export {
  checkTabs,
  checkTrace as checkInvariants,
  describeViolation,
  invariants,
  type TabTrace,
  type Violation,
} from '../trace/invariants/invariants.ts'
