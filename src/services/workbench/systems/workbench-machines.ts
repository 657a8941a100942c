// The workbench's own machines (not the client's), by id.
import {
  accessReviewMachine,
  backendHealthMachine,
  fileJobMachine,
  functionCallMachine,
  groupChangeMachine,
  newPasswordMachine,
  retriesMachine,
  rowComparisonMachine,
  rowDeletionMachine,
  rowEditMachine,
  rowEditsMachine,
  rowExportMachine,
  rowImportMachine,
  signInMachine,
  surveyMachine,
} from '../../../machines/index.ts'

/** Without their effects: enough to replay, draw and check them. */
export const workbenchMachines = {
  rowImport: rowImportMachine,
  rowExport: rowExportMachine,
  rowComparison: rowComparisonMachine,
  accessReview: accessReviewMachine,
  rowDeletion: rowDeletionMachine,
  rowEdits: rowEditsMachine,
  rowEdit: rowEditMachine,
  functionCall: functionCallMachine,
  fileJob: fileJobMachine,
  groupChange: groupChangeMachine,
  retries: retriesMachine,
  backendHealth: backendHealthMachine,
  survey: surveyMachine,
  signIn: signInMachine,
  newPassword: newPasswordMachine,
} as const
