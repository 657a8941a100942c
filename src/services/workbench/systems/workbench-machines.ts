// The workbench's own machines (not the client's), by id.
import { fileJobMachine } from '../../../machines/workbench/file-job.ts'
import { functionCallMachine } from '../../../machines/workbench/function-call.ts'
import { retriesMachine } from '../../../machines/workbench/retries.ts'
import { rowComparisonMachine } from '../../../machines/workbench/row-comparison.ts'
import { rowDeletionMachine } from '../../../machines/workbench/row-deletion.ts'
import { rowEditMachine } from '../../../machines/workbench/row-edit.ts'
import { rowEditsMachine } from '../../../machines/workbench/row-edits.ts'
import { rowExportMachine } from '../../../machines/workbench/row-export.ts'
import { rowImportMachine } from '../../../machines/workbench/row-import.ts'
import { surveyMachine } from '../../../machines/workbench/survey.ts'

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
