// An entry for the workbench alone: imports and exports of rows as machines. No part of the package.
export {
  createRowImport,
  importRequest,
  type OnDuplicate,
  type RowImport,
  type RowImportOptions,
  type RowImportPhase,
  type RowImportState,
} from './services/transfers/create-row-import.ts'
export type { RowImportEvent } from './machines/row-import.ts'
export {
  createRowExport,
  type RowExport,
  type RowExportOptions,
  type RowExportPhase,
  type RowExportState,
} from './services/transfers/create-row-export.ts'
export { refusalOf, refusedBody } from './services/transfers/rest-failure.ts'
