// An entry for the workbench alone: imports, exports and deletions of rows as machines. No part of the package.
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
export { createRowDeletion, type RowDeletion } from './services/transfers/create-row-deletion.ts'
