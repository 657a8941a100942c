// Jobs of the workbench: each is a machine with a separate recording.
export {
  type ConflictAnswer,
  createFileJob,
  type FileJob,
  type FileJobState,
  fileJobState,
  type RefusedFile,
} from './create-file-job.ts'
export {
  createRowExport,
  type RowExport,
  type RowExportPhase,
  type RowExportState,
  rowExportState,
} from './create-row-export.ts'
export {
  createRowImport,
  type OnDuplicate,
  type RowImport,
  type RowImportState,
  rowImportState,
} from './create-row-import.ts'
export { isIncomplete } from './row-requests.ts'
export type { AnyJob, JobEvent } from './run-job.ts'
export { createRetries, type Retries } from './retries.ts'
