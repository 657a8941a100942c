// The workbench's own machines (not the client's), by id.
import { fileJobMachine } from '../machines/file-job.ts'
import { functionCallMachine } from '../machines/function-call.ts'
import { retriesMachine } from '../machines/retries.ts'
import { rowComparisonMachine } from '../machines/row-comparison.ts'
import { rowDeletionMachine } from '../machines/row-deletion.ts'
import { rowEditMachine } from '../machines/row-edit.ts'
import { rowEditsMachine } from '../machines/row-edits.ts'
import { rowExportMachine } from '../machines/row-export.ts'
import { rowImportMachine } from '../machines/row-import.ts'
import { surveyMachine } from '../machines/survey.ts'

/** Without their effects: enough to replay, draw and check them. */
export const workbenchMachines = {
  rowImport: rowImportMachine,
  rowExport: rowExportMachine,
  rowComparison: rowComparisonMachine,
  rowDeletion: rowDeletionMachine,
  rowEdits: rowEditsMachine,
  rowEdit: rowEditMachine,
  functionCall: functionCallMachine,
  fileJob: fileJobMachine,
  retries: retriesMachine,
  survey: surveyMachine,
} as const
