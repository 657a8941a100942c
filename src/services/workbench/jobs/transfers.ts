// Import, export and comparison of rows; loaded when a dialog needs them.
export { createRowComparison } from './create-row-comparison.ts'
export { createRowExport } from './create-row-export.ts'
export { createRowImport } from './create-row-import.ts'
