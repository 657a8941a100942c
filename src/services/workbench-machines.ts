// The machines that the workbench runs beside its client, by id.
import { rowDeletionMachine } from '../machines/row-deletion.ts'
import { rowExportMachine } from '../machines/row-export.ts'
import { rowImportMachine } from '../machines/row-import.ts'
import { surveyMachine } from '../machines/survey.ts'

/** Without what they do to the world: enough to replay, draw and check them. */
export const workbenchMachines = {
  rowImport: rowImportMachine,
  rowExport: rowExportMachine,
  rowDeletion: rowDeletionMachine,
  survey: surveyMachine,
} as const
