// The public entry `@chartroom/devtools/reports`: reports problems with their recordings to the app's own project.
export type { ReportOutcome } from '../../machines/index.ts'
export type { FileContext } from '../../services/client/index.ts'
export {
  capturePage,
  DAILY_BUDGET,
  type NewReport,
  type Reported,
  type ReportedRecording,
  type Reporter,
  type ReportOn,
  reportTo,
  type ReportToOptions,
} from '../../services/reports/index.ts'
