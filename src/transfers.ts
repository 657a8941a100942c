// Workbench-only entry, not part of the package: the workbench's user-initiated jobs, as machines.
export type { RowImportEvent } from './machines/workbench/row-import.ts'
export {
  createRowImport,
  type RowImport,
  type RowImportState,
} from './services/workbench/jobs/create-row-import.ts'
export {
  createRowExport,
  type RowExport,
  type RowExportState,
} from './services/workbench/jobs/create-row-export.ts'
export {
  createRowComparison,
  type Recheck,
  type RowComparison,
  type RowComparisonPhase,
  type RowComparisonState,
} from './services/workbench/jobs/create-row-comparison.ts'
export { createRowDeletion, type RowDeletion } from './services/workbench/jobs/create-row-deletion.ts'
export type { NetworkTimings } from './machines/workbench/function-call.ts'
export {
  createFunctionCall,
  type FunctionCall,
  type FunctionCallOptions,
  type FunctionCallState,
} from './services/workbench/jobs/create-function-call.ts'
export { findMergeableEdit, type EditRows } from './machines/workbench/row-edits.ts'
export type { EditFailure } from './machines/workbench/row-edit.ts'
export { createRowEdits, type RowEdits, type Written } from './services/workbench/jobs/create-row-edits.ts'
export { tabPresence, type TabLocks } from './services/client/tabs/tab-presence.ts'
export {
  createFileJob,
  type ConflictAnswer,
  type FileJob,
  type FileJobOptions,
  type FileJobState,
  type FileTask,
  type RefusedFile,
  type ConflictingFile,
} from './services/workbench/jobs/create-file-job.ts'
export { numbered } from './machines/uploads/upload-info.ts'
