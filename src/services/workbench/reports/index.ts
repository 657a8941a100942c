// Reports of users: groups, their reports and files, and the changes of a triage.
export { type GroupFilter, isReportId, readFilter } from './filter.ts'
export {
  CHART_DAYS,
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
export { CAUSES, GROUPS_TABLE, type Report, type ReportGroup, STATUSES } from './rows.ts'
export { INIT_COMMANDS, memberSql, testCommand, traceName } from './texts.ts'
export { type GroupChange, MOST_NOTES, type Saving, shownGroup, TriageStore } from './triage-store.ts'
