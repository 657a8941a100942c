// Reports of users: groups, their reports and files, and the changes of a triage.
export { type GroupFilter, readFilter } from './filter.ts'
export {
  CHART_DAYS,
  countOpenGroups,
  downloadFile,
  type ListedGroup,
  MissingFile,
  readAccess,
  readGroup,
  readGroups,
  readReport,
  readReports,
  type ReportsAccess,
} from './read-reports.ts'
export { CAUSES, type Report, type ReportGroup, STATUSES } from '../../reports/rows.ts'
export { isReportsTable } from '../../reports/tables.ts'
export { type Examined } from '../../reports/judge.ts'
export { headline } from '../../reports/words.ts'
export { INIT_COMMANDS, memberSql, testOffer, traceName } from './texts.ts'
export { type GroupChange, MOST_NOTES, type Saving, shownGroup, TriageStore } from './triage-store.ts'
export { reportHere } from './report-here.ts'
