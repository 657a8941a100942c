// Workbench-only entry, not part of the package: the workbench's user-initiated jobs, as machines.
export type { RowImportEvent } from './machines/row-import.ts'
export {
  createRowImport,
  type RowImport,
  type RowImportState,
} from './services/transfers/create-row-import.ts'
export {
  createRowExport,
  type RowExport,
  type RowExportState,
} from './services/transfers/create-row-export.ts'
export {
  createRowComparison,
  type Recheck,
  type RowComparison,
  type RowComparisonPhase,
  type RowComparisonState,
} from './services/transfers/create-row-comparison.ts'
export { createRowDeletion, type RowDeletion } from './services/transfers/create-row-deletion.ts'
export type { NetworkTimings } from './machines/function-call.ts'
export {
  createFunctionCall,
  type FunctionCall,
  type FunctionCallOptions,
  type FunctionCallState,
} from './services/transfers/create-function-call.ts'
export { findMergeableEdit, type EditRows } from './machines/row-edits.ts'
export type { EditFailure } from './machines/row-edit.ts'
export { createRowEdits, type RowEdits, type Written } from './services/transfers/create-row-edits.ts'
export { tabPresence, type TabLocks } from './services/tabs/tab-presence.ts'
export {
  createFileJob,
  type ConflictAnswer,
  type FileJob,
  type FileJobOptions,
  type FileJobState,
  type FileTask,
  type RefusedFile,
  type ConflictingFile,
} from './services/transfers/create-file-job.ts'
export { numbered } from './machines/upload-info.ts'
