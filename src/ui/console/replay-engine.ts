// What the console needs to replay, check and export; loaded on first use.
export { systems } from '../../services/workbench/systems/index.ts'
export { createSandbox } from '../../services/control/index.ts'
export {
  breaks,
  coverage,
  deriveSteps,
  deriveStepsGently,
  describeDetours,
  describeDivergence,
  describeSilentChanges,
  makeDrive,
  minimize,
  stageTimes,
  verify,
  writeTest,
} from '../../services/replay/index.ts'
export { examineReport } from '../../services/reports/judge.ts'
export {
  checkModel,
  checkTrace,
  encodeFile,
  exportPieces,
  invariants,
  mergeCoverage,
  openTrace,
  readAssertions,
  readTrace,
} from '../../trace/index.ts'
