// Reports of problems with their recordings, from an app to its own project.
export { capturePage } from './capture-page.ts'
export {
  DAILY_BUDGET,
  type NewReport,
  type Reported,
  type ReportedRecording,
  type Reporter,
  reportTo,
  type ReportToOptions,
} from './report-to.ts'
export type { ReportOn } from './watch-for.ts'
