// The specifications of all machines, by machine id.
import type { EventFromLogic } from 'xstate'
import { apiKeySpec } from './api-key.spec.ts'
import { clientSpec } from './client.spec.ts'
import { consoleJobSpec } from './console/console-job.spec.ts'
import { consoleViewSpec } from './console/console-view.spec.ts'
import { editReplaySpec } from './console/edit-replay.spec.ts'
import { peerSpec } from './console/peer.spec.ts'
import { remoteAnswerSpec } from './console/remote-answer.spec.ts'
import { sourceConnectionSpec } from './console/source-connection.spec.ts'
import { traceCheckSpec } from './console/trace-check.spec.ts'
import { collectionRowsSpec } from './outbox/collection-rows.spec.ts'
import { outboxSpec } from './outbox/outbox.spec.ts'
import { channelSpec } from './realtime/channel.spec.ts'
import { connectionSpec } from './realtime/connection.spec.ts'
import { realtimeSpec } from './realtime/realtime.spec.ts'
import { attemptSpec } from './refresh/attempt.spec.ts'
import { refreshSpec } from './refresh/refresh.spec.ts'
import { reportDeliverySpec } from './reports/delivery.spec.ts'
import { reporterSpec } from './reports/reporter.spec.ts'
import { requestSpec } from './requests/request.spec.ts'
import { requestsSpec } from './requests/requests.spec.ts'
import { sessionSpec } from './session/session.spec.ts'
import { tabSpec } from './tab.spec.ts'
import { uploadSpec } from './uploads/upload.spec.ts'
import { uploadsSpec } from './uploads/uploads.spec.ts'
import { accessReviewSpec } from './workbench/access-review.spec.ts'
import { backendHealthSpec } from './workbench/backend-health.spec.ts'
import { draftSavingSpec } from './workbench/draft-saving.spec.ts'
import { fileJobSpec } from './workbench/file-job.spec.ts'
import { functionCallSpec } from './workbench/function-call.spec.ts'
import { groupChangeSpec } from './workbench/group-change.spec.ts'
import { newPasswordSpec } from './workbench/new-password.spec.ts'
import { projectStatusSpec } from './workbench/project-status.spec.ts'
import { retriesSpec } from './workbench/retries.spec.ts'
import { rowComparisonSpec } from './workbench/row-comparison.spec.ts'
import { rowDeletionSpec } from './workbench/row-deletion.spec.ts'
import { rowEditsSpec, rowEditSpec } from './workbench/row-edits.spec.ts'
import { rowExportSpec } from './workbench/row-export.spec.ts'
import { rowImportSpec } from './workbench/row-import.spec.ts'
import { signInSpec } from './workbench/sign-in.spec.ts'
import { sqlRunSpec } from './workbench/sql-run.spec.ts'
import { surveySpec } from './workbench/survey.spec.ts'
import { pageReadSpec, tableRowsSpec } from './workbench/table-rows.spec.ts'
import { tableSearchSpec } from './workbench/table-search.spec.ts'

/** The client, its parts, and what reports its problems. */
const clientSpecs = {
  client: clientSpec,
  session: sessionSpec,
  refresh: refreshSpec,
  attempt: attemptSpec,
  tab: tabSpec,
  apiKey: apiKeySpec,
  requests: requestsSpec,
  request: requestSpec,
  realtime: realtimeSpec,
  connection: connectionSpec,
  channel: channelSpec,
  uploads: uploadsSpec,
  upload: uploadSpec,
  reporter: reporterSpec,
  reportDelivery: reportDeliverySpec,
} as const

/** Machines of an app's offline data, each as a separate system. */
export const databaseSpecs = { outbox: outboxSpec, collectionRows: collectionRowsSpec } as const

/** Machines that only the workbench runs, each as a separate system. */
export const workbenchSpecs = {
  rowImport: rowImportSpec,
  rowExport: rowExportSpec,
  rowComparison: rowComparisonSpec,
  accessReview: accessReviewSpec,
  rowDeletion: rowDeletionSpec,
  rowEdits: rowEditsSpec,
  rowEdit: rowEditSpec,
  draftSaving: draftSavingSpec,
  functionCall: functionCallSpec,
  fileJob: fileJobSpec,
  groupChange: groupChangeSpec,
  retries: retriesSpec,
  backendHealth: backendHealthSpec,
  survey: surveySpec,
  sqlRun: sqlRunSpec,
  projectStatus: projectStatusSpec,
  tableRows: tableRowsSpec,
  pageRead: pageReadSpec,
  tableSearch: tableSearchSpec,
  signIn: signInSpec,
  newPassword: newPasswordSpec,
} as const

/** The console's: its files, playback, checks and edits, and its links with apps in other pages; not recorded. */
const consoleSpecs = {
  consoleJob: consoleJobSpec,
  consoleView: consoleViewSpec,
  editReplay: editReplaySpec,
  peer: peerSpec,
  remoteAnswer: remoteAnswerSpec,
  sourceConnection: sourceConnectionSpec,
  traceCheck: traceCheckSpec,
} as const

/** Those that a recording can contain. */
export const recordedSpecs = { ...clientSpecs, ...databaseSpecs, ...workbenchSpecs } as const

export const specs = { ...recordedSpecs, ...consoleSpecs } as const
export type MachineId = keyof typeof specs

/** The events of each machine that is recorded; the console's forms for sending them are generated from these types. */
export type EventsOf = {
  readonly [Id in keyof typeof recordedSpecs]: EventFromLogic<(typeof recordedSpecs)[Id]['machine']>
}
/** A machine that is a system of the workbench. */
export type WorkbenchId = keyof typeof workbenchSpecs
