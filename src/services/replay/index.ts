// Replays: verify, drive, playback, coverage and minimizing.
export { coverage } from './coverage/coverage.ts'
export type { DriveReport } from './drive/drive-report.ts'
export type { Drive, DriveOptions, DriveStep } from './drive/drive-run.ts'
export { drive, makeDrive } from './drive/drive.ts'
export type { Edit } from './drive/edits.ts'
export type { Answer, AtOnce } from './drive/stage-script.ts'
export { stageTimes, type StageTimes } from './drive/stage-times.ts'
export { createStage, type Stage, type StageOptions } from './drive/stage.ts'
export {
  breaks,
  type DrivenRun,
  type Failing,
  failsWhen,
  minimize,
  type MinimizeOptions,
  type MinimizeResult,
} from './minimize/minimize.ts'
export { branch, type BranchOptions } from './playback/branch.ts'
export {
  type DeriveOptions,
  type DeriveResult,
  deriveSteps,
  deriveStepsGently,
} from './verify/derive-steps.ts'
export type { LiveActor } from './run/live-actors.ts'
export type { Pace, PaceClock } from './playback/pacing.ts'
export { createReplay } from './playback/playback.ts'
export type { Progress, Replay, ReplayOptions, RunEnd, SentEvent } from './playback/replay-types.ts'
export type { Branch, LiveOptions } from './playback/resume-live.ts'
export { ReplayRun, type ReplayRunOptions } from './run/replay-run.ts'
export { describeDetours, describeDivergence, describeSilentChanges } from './verify/describe-divergence.ts'
export type { Divergence, StepSummary } from './verify/divergence.ts'
export type { MachineDifference } from './verify/find-system.ts'
export { type ReplayReport, verify, type VerifyOptions } from './verify/verify.ts'
