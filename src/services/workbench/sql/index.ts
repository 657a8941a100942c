// SQL scripts on the embedded backend: runs, results, plans, history.
export { parsePlan, type Plan, type PlanNode, planSteps, planText } from './plan.ts'
export { ResultEdits, type ResultState } from './result-edits.ts'
export { createSqlApi, type SqlInfo, type SqlMessage, type SqlStatement } from './sql-api.ts'
export {
  hasRows,
  readOnlyReason,
  resultTable,
  resultText,
  resultView,
  type SqlRows,
  tableOfResult,
} from './sql-result.ts'
export { ROW_LIMITS, type SqlEntry, type SqlOptions, TIME_LIMITS_MS } from './sql-storage.ts'
export { isRunning, type SqlPart, type SqlRun, type SqlState, SqlStore } from './sql-store.ts'
