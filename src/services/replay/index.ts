// Replays: verify, drive, playback, coverage and minimizing.
export { coverage } from './coverage/coverage.ts'
export {
  type Drive,
  drive,
  type DrivenSystem,
  type DriveOptions,
  type DriveStep,
  driveTurns,
  makeDrive,
} from './drive/drive.ts'
export type { DriveReport } from './drive/drive-report.ts'
export type { Edit } from './drive/edits.ts'
export { type RecordedStage, stageRecording } from './drive/stage-recorded.ts'
export { recordedTest, type RecordedTestOptions, writeTest, type WrittenTest } from './drive/stage-test.ts'
export { type Answer, type AtOnce, createStage, type Stage, type StageOptions } from './drive/stage.ts'
export { stageTimes, type StageTimes } from './drive/stage-times.ts'
export {
  breaks,
  type DrivenRun,
  type Failing,
  failsWhen,
  minimize,
  type MinimizeOptions,
  type MinimizeResult,
} from './minimize/minimize.ts'
export type { Pace, PaceClock } from './playback/pacing.ts'
export {
  branch,
  type BranchOptions,
  createReplay,
  type Progress,
  type Replay,
  type ReplayOptions,
  type RunEnd,
} from './playback/playback.ts'
export type { Branch, LiveOptions } from './playback/resume-live.ts'
export {
  type LiveActor,
  type MachineDifference,
  ReplayRun,
  type ReplayRunOptions,
  type SentEvent,
} from './run/replay-run.ts'
export {
  type DeriveOptions,
  type DeriveResult,
  deriveSteps,
  deriveStepsGently,
} from './verify/derive-steps.ts'
export {
  describeDetours,
  describeDivergence,
  describeSilentChanges,
  type Divergence,
  type StepSummary,
} from './verify/divergence.ts'
export { type ReplayReport, verify, type VerifyOptions } from './verify/verify.ts'
