// Jobs of the workbench: each is a machine with a separate recording.
export {
  type ConflictAnswer,
  createFileJob,
  type FileJob,
  type FileJobState,
  type RefusedFile,
} from './create-file-job.ts'
export type { RowExport, RowExportState } from './create-row-export.ts'
export type { RowImport, RowImportState } from './create-row-import.ts'
export { createRetries, type Retries } from './retries.ts'
