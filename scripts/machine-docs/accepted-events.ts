// Lists the events that each machine may receive, checked against the types of machines and ports: a list too
// short or too long doesn't compile.
import type { CallbackActorLogic, EventFromLogic, EventObject } from 'xstate'
import type * as declared from '../../src/machines/ports.ts'
import type { reviewStep } from '../../src/machines/workbench/access-review.ts'
import type { checkBackend } from '../../src/machines/workbench/backend-health.ts'
import type { countFiles, processBatch } from '../../src/machines/workbench/file-job.ts'
import type { callFunction, measureNetwork } from '../../src/machines/workbench/function-call.ts'
import type { compareNotes, saveChange } from '../../src/machines/workbench/group-change.ts'
import type { readPages, recheckDifferences } from '../../src/machines/workbench/row-comparison.ts'
import type { deleteRows } from '../../src/machines/workbench/row-deletion.ts'
import type { writeEdit } from '../../src/machines/workbench/row-edits.ts'
import type { readPage } from '../../src/machines/workbench/row-export.ts'
import type { sendBatch } from '../../src/machines/workbench/row-import.ts'
import type { requestCode, savePassword } from '../../src/machines/workbench/new-password.ts'
import type {
  loadFactors,
  openProvider,
  resendCode,
  signInAsGuest,
  signInWithPasskey,
  submitForm,
  verifyFactor,
  watchSession,
} from '../../src/machines/workbench/sign-in.ts'
import type { probeFamily } from '../../src/machines/workbench/survey.ts'
import type {
  announceReport,
  attachFiles,
  nextReport,
  settleReport,
} from '../../src/machines/reports/delivery.ts'
import type { captureReport, decideReport } from '../../src/machines/reports/reporter.ts'
import type { Machines } from './machines.ts'
import type { AcceptedEvents } from './pairs.ts'

/** Ports of machines that run in addition to the client's: the workbench's and those of reports. */
export interface WorkbenchPorts {
  readonly checkBackend: typeof checkBackend
  readonly sendBatch: typeof sendBatch
  readonly readPage: typeof readPage
  readonly readPages: typeof readPages
  readonly reviewStep: typeof reviewStep
  readonly recheckDifferences: typeof recheckDifferences
  readonly probeFamily: typeof probeFamily
  readonly deleteRows: typeof deleteRows
  readonly writeEdit: typeof writeEdit
  readonly callFunction: typeof callFunction
  readonly compareNotes: typeof compareNotes
  readonly saveChange: typeof saveChange
  readonly measureNetwork: typeof measureNetwork
  readonly countFiles: typeof countFiles
  readonly processBatch: typeof processBatch
  readonly watchSession: typeof watchSession
  readonly submitForm: typeof submitForm
  readonly resendCode: typeof resendCode
  readonly signInAsGuest: typeof signInAsGuest
  readonly signInWithPasskey: typeof signInWithPasskey
  readonly openProvider: typeof openProvider
  readonly loadFactors: typeof loadFactors
  readonly verifyFactor: typeof verifyFactor
  readonly savePassword: typeof savePassword
  readonly requestCode: typeof requestCode
  readonly decideReport: typeof decideReport
  readonly captureReport: typeof captureReport
  readonly nextReport: typeof nextReport
  readonly announceReport: typeof announceReport
  readonly attachFiles: typeof attachFiles
  readonly settleReport: typeof settleReport
}
type Ports = Omit<typeof declared, 'MissingPortError'> & WorkbenchPorts
type Sent<Port> =
  Port extends CallbackActorLogic<infer _Receives, infer _Input, infer Sends extends EventObject>
    ? Sends['type']
    : never

type Table<T extends string> = Readonly<Record<T, true>>

const ports: { readonly [Name in keyof Ports]: Table<Sent<Ports[Name]>> } = {
  probeFamily: { 'family.answered': true },
  checkBackend: { 'check.answered': true, 'check.failed': true },
  authenticate: {
    'auth.failed': true,
    'auth.succeeded': true,
    'auth.unconfirmed': true,
    'port.broken': true,
  },
  callFunction: {
    'response.ended': true,
    'response.progressed': true,
    'response.started': true,
    'call.failed': true,
    'call.requested': true,
    'port.broken': true,
  },
  compareNotes: {
    'change.conflicted': true,
    'change.refused': true,
    'notes.unchanged': true,
    'port.broken': true,
  },
  saveChange: {
    'change.conflicted': true,
    'change.refused': true,
    'change.saved': true,
    'port.broken': true,
  },
  countFiles: {
    'files.counted': true,
    'files.found': true,
    'files.uncounted': true,
    'port.broken': true,
  },
  watchSession: { 'session.changed': true },
  submitForm: { 'attempt.failed': true, 'attempt.succeeded': true, 'code.sent': true, 'port.broken': true },
  resendCode: { 'attempt.failed': true, 'attempt.succeeded': true, 'code.sent': true, 'port.broken': true },
  signInAsGuest: {
    'attempt.failed': true,
    'attempt.succeeded': true,

    'port.broken': true,
  },
  signInWithPasskey: {
    'attempt.failed': true,
    'attempt.succeeded': true,

    'port.broken': true,
  },
  openProvider: { 'attempt.failed': true, 'attempt.succeeded': true, 'port.broken': true },
  verifyFactor: { 'attempt.failed': true, 'attempt.succeeded': true, 'port.broken': true },
  loadFactors: { 'factors.failed': true, 'factors.loaded': true, 'port.broken': true },
  savePassword: { 'password.refused': true, 'password.saved': true, 'port.broken': true },
  requestCode: { 'code.requested': true, 'password.refused': true, 'port.broken': true },
  decideReport: { 'port.broken': true, 'report.allowed': true, 'report.declined': true },
  captureReport: { 'port.broken': true, 'report.captured': true },
  nextReport: { 'outbox.empty': true, 'outbox.inUse': true, 'outbox.next': true, 'port.broken': true },
  announceReport: { 'part.failed': true, 'part.refused': true, 'part.sent': true, 'port.broken': true },
  attachFiles: { 'part.failed': true, 'part.refused': true, 'part.sent': true, 'port.broken': true },
  settleReport: { 'outbox.settled': true, 'port.broken': true },
  deleteRows: { 'port.broken': true, 'rows.deleted': true, 'rows.refused': true },
  detectUrl: {
    'port.broken': true,
    'url.failed': true,
    'url.foreign': true,
    'url.found': true,
    'url.mismatch': true,
    'url.none': true,
    'url.verifierMissing': true,
  },
  processBatch: { 'port.broken': true, 'batch.done': true },
  environment: { 'environment.changed': true, 'environment.woke': true },
  storeSession: { 'session.storeFailed': true, 'port.broken': true, 'session.stored': true },
  leadership: {
    'leadership.gained': true,
    'leadership.lost': true,
    'leadership.unavailable': true,
    'port.broken': true,
  },
  loadUser: { 'port.broken': true, 'user.failed': true, 'user.loaded': true },
  lock: { 'lock.held': true, 'lock.lost': true, 'lock.unavailable': true, 'port.broken': true },
  checkKey: { 'key.checked': true, 'port.broken': true },
  checkName: { 'name.free': true, 'name.taken': true, 'name.unknown': true, 'port.broken': true },
  probeSocket: { 'port.broken': true, 'probe.answered': true, 'probe.failed': true },
  readPage: { 'page.failed': true, 'page.read': true, 'port.broken': true },
  readPages: { 'pages.read': true, 'port.broken': true },
  reviewStep: { 'port.broken': true, 'step.done': true, 'step.failed': true },
  recheckDifferences: {
    'differences.checked': true,
    'differences.failed': true,
    'port.broken': true,
  },
  readSession: {
    'port.broken': true,
    'stored.corrupt': true,
    'stored.found': true,
    'stored.none': true,
    'stored.same': true,
  },
  refreshToken: { 'port.broken': true, 'refresh.failed': true, 'refresh.succeeded': true },
  removeSession: { 'port.broken': true, 'stored.removed': true },
  resync: { 'resync.done': true, 'resync.failed': true },
  revoke: { 'port.broken': true, 'revoke.failed': true, 'revoke.succeeded': true },
  sendBatch: {
    'batch.delayed': true,
    'batch.lost': true,
    'batch.refused': true,
    'batch.written': true,
    'port.broken': true,
  },
  send: {
    'body.ended': true,
    'body.failed': true,
    'port.broken': true,
    'send.answered': true,
    'send.failed': true,
  },
  socket: {
    'port.broken': true,
    'socket.alive': true,
    'socket.closed': true,
    'socket.opened': true,
    'socket.silent': true,
    'socket.stale': true,
  },
  tabs: { 'port.broken': true, 'stored.changed': true },
  ticker: { 'clock.tick': true },
  topic: {
    'broadcast.received': true,
    'port.broken': true,
    'postgres.changed': true,
    'postgres.failed': true,
    'postgres.subscribed': true,
    'presence.synced': true,
    'push.settled': true,
    'system.received': true,
    'topic.closed': true,
    'topic.joined': true,
    'topic.refused': true,
  },
  transfer: {
    'port.broken': true,
    'transfer.done': true,
    'transfer.failed': true,
    'transfer.progressed': true,
    'transfer.conflicted': true,
  },
  writeEdit: {
    'port.broken': true,
    'write.conflicted': true,
    'write.failed': true,
    'write.requested': true,
    'write.saved': true,
  },
  measureNetwork: { 'network.measured': true },
}

const reported: {
  readonly [Id in keyof Machines]: Table<Exclude<EventFromLogic<Machines[Id]>['type'], `xstate.${string}`>>
} = {
  client: {
    'auth.settled': true,
    'breaker.closed': true,
    'breaker.opened': true,
    'channel.command': true,
    'channel.join': true,
    'channel.leave': true,
    'environment.changed': true,
    'environment.woke': true,
    'key.accepted': true,
    'key.changed': true,
    'key.check': true,
    'key.refused': true,
    'key.replaced': true,
    'realtime.connect': true,
    'realtime.disconnect': true,
    'realtime.wanted': true,
    'refresh.automatic': true,
    'refresh.request': true,
    'request.abort': true,
    'request.receiving': true,
    'request.settled': true,
    'request.start': true,
    'session.commit': true,
    'session.ended': true,
    'session.signIn': true,
    'session.signOut': true,
    'session.started': true,
    'session.verify': true,
    'stored.changed': true,
    'tab.role': true,
    'token.adopted': true,
    'token.delayed': true,
    'token.due': true,
    'token.expired': true,
    'token.needed': true,
    'token.refreshing': true,
    'token.refused': true,
    'token.rejected': true,
    'token.rotated': true,
    'upload.command': true,
    'uploads.add': true,
    'uploads.clear': true,
  },
  session: {
    'auth.failed': true,
    'auth.succeeded': true,
    'auth.unconfirmed': true,
    'session.storeFailed': true,
    'port.broken': true,
    'recovery.ended': true,
    'revoke.failed': true,
    'revoke.succeeded': true,
    'session.commit': true,
    'session.stored': true,
    'session.signIn': true,
    'session.signOut': true,
    'session.verify': true,
    'stored.changed': true,
    'stored.corrupt': true,
    'stored.found': true,
    'stored.none': true,
    'stored.removed': true,
    'stored.same': true,
    'token.delayed': true,
    'token.due': true,
    'token.expired': true,
    'token.refreshing': true,
    'token.refused': true,
    'token.rotated': true,
    'url.failed': true,
    'url.foreign': true,
    'url.found': true,
    'url.mismatch': true,
    'url.none': true,
    'url.verifierMissing': true,
    'user.failed': true,
    'user.loaded': true,
  },
  refresh: {
    'clock.tick': true,
    'environment.changed': true,
    'environment.woke': true,
    'key.changed': true,
    'realtime.wanted': true,
    'refresh.automatic': true,
    'refresh.request': true,
    'session.ended': true,
    'session.started': true,
    'tab.role': true,
    'token.adopted': true,
    'token.needed': true,
  },
  attempt: {
    'lock.held': true,
    'lock.lost': true,
    'lock.unavailable': true,
    'port.broken': true,
    'refresh.failed': true,
    'refresh.succeeded': true,
    'stored.corrupt': true,
    'stored.found': true,
    'stored.none': true,
    'stored.same': true,
  },
  tab: {
    'environment.changed': true,
    'environment.woke': true,
    'leadership.gained': true,
    'leadership.lost': true,
    'leadership.unavailable': true,
    'port.broken': true,
    'realtime.wanted': true,
    'session.ended': true,
    'session.started': true,
    'stored.changed': true,
    'token.adopted': true,
    'token.rotated': true,
  },
  apiKey: {
    'environment.changed': true,
    'environment.woke': true,
    'key.accepted': true,
    'key.check': true,
    'key.checked': true,
    'key.refused': true,
    'key.replaced': true,
    'port.broken': true,
  },
  requests: {
    'environment.changed': true,
    'gate.changed': true,
    'key.accepted': true,
    'key.refused': true,
    'queue.next': true,
    'request.abort': true,
    'request.queued': true,
    'request.receiving': true,
    'request.settled': true,
    'request.slow': true,
    'request.start': true,
    'request.waiting': true,
    'token.rejected': true,
  },
  request: {
    'body.ended': true,
    'body.failed': true,
    'environment.changed': true,
    'gate.changed': true,
    'port.broken': true,
    'request.abort': true,
    'request.granted': true,
    'send.answered': true,
    'send.failed': true,
  },
  realtime: {
    'channel.command': true,
    'channel.join': true,
    'channel.leave': true,
    'connection.lost': true,
    'connection.opened': true,
    'environment.changed': true,
    'environment.woke': true,
    'gate.changed': true,
    'key.refused': true,
    'realtime.connect': true,
    'realtime.disconnect': true,
    'token.needed': true,
    'token.rejected': true,
  },
  connection: {
    'connection.close': true,
    'connection.open': true,
    'connection.release': true,
    'environment.changed': true,
    'environment.woke': true,
    'gate.changed': true,
    'port.broken': true,
    'probe.answered': true,
    'probe.failed': true,
    'socket.alive': true,
    'socket.closed': true,
    'socket.opened': true,
    'socket.silent': true,
    'socket.stale': true,
  },
  channel: {
    'broadcast.received': true,
    'broadcast.send': true,
    'channel.joined': true,
    'channel.left': true,
    'channel.options': true,
    'channel.rejoin': true,
    'channel.retry': true,
    'connection.lost': true,
    'connection.opened': true,
    'gate.changed': true,
    'port.broken': true,
    'postgres.changed': true,
    'postgres.failed': true,
    'postgres.subscribed': true,
    'presence.synced': true,
    'presence.track': true,
    'presence.untrack': true,
    'push.settled': true,
    'resync.done': true,
    'resync.failed': true,
    'system.received': true,
    'topic.closed': true,
    'topic.joined': true,
    'topic.refused': true,
  },
  uploads: {
    'environment.changed': true,
    'upload.command': true,
    'upload.ended': true,
    'upload.phaseChanged': true,
    'uploads.add': true,
    'uploads.clear': true,
  },
  upload: {
    'environment.changed': true,
    'name.free': true,
    'name.taken': true,
    'name.unknown': true,
    'port.broken': true,
    'transfer.done': true,
    'transfer.failed': true,
    'transfer.progressed': true,
    'transfer.conflicted': true,
    'upload.answer': true,
    'upload.cancel': true,
    'upload.granted': true,
    'upload.pause': true,
    'upload.resume': true,
  },
  rowImport: {
    'batch.delayed': true,
    'batch.lost': true,
    'batch.refused': true,
    'batch.written': true,
    'import.retry': true,
    'import.cancel': true,
    'import.skip': true,
    'import.pause': true,
    'import.resume': true,
    'port.broken': true,
  },
  rowExport: {
    'export.cancel': true,
    'export.pause': true,
    'export.resume': true,
    'page.failed': true,
    'page.read': true,
    'port.broken': true,
  },
  rowComparison: {
    'comparison.cancel': true,
    'comparison.retry': true,
    'differences.checked': true,
    'differences.failed': true,
    'pages.read': true,
    'port.broken': true,
  },
  accessReview: {
    'port.broken': true,
    'review.cancel': true,
    'review.retry': true,
    'step.done': true,
    'step.failed': true,
  },
  rowDeletion: {
    'deletion.cancel': true,
    'deletion.send': true,
    'port.broken': true,
    'rows.deleted': true,
    'rows.refused': true,
  },
  signIn: {
    'attempt.failed': true,
    'attempt.succeeded': true,
    'code.resend': true,
    'code.sent': true,
    'confirmation.resend': true,
    'factor.choose': true,
    'factor.retry': true,
    'factor.verify': true,
    'factors.failed': true,
    'factors.loaded': true,
    'form.changed': true,
    'form.choose': true,
    'form.submit': true,
    'guest.signIn': true,
    'methods.changed': true,
    'passkey.signIn': true,
    'port.broken': true,
    'provider.open': true,
    'session.changed': true,
    'step.skip': true,
  },
  newPassword: {
    'code.request': true,
    'code.requested': true,
    'password.changed': true,
    'password.refused': true,
    'password.save': true,
    'password.saved': true,
    'port.broken': true,
  },
  rowEdits: {
    'edit.ended': true,
    'edit.phaseChanged': true,
    'edits.add': true,
    'edits.start': true,
    'edits.pause': true,
    'edits.command': true,
    'edits.retry': true,
  },
  rowEdit: {
    'edit.changed': true,
    'edit.cancel': true,
    'edit.granted': true,
    'edit.retry': true,
    'port.broken': true,
    'write.conflicted': true,
    'write.failed': true,
    'write.requested': true,
    'write.saved': true,
  },
  functionCall: {
    'response.ended': true,
    'response.progressed': true,
    'response.started': true,
    'call.failed': true,
    'call.requested': true,
    'call.cancel': true,
    'network.measured': true,
    'port.broken': true,
  },
  fileJob: {
    'files.counted': true,
    'files.found': true,
    'files.uncounted': true,
    'job.retry': true,
    'job.answer': true,
    'job.start': true,
    'job.recount': true,
    'job.resume': true,
    'job.cancel': true,
    'port.broken': true,
    'batch.done': true,
  },
  groupChange: {
    'change.conflicted': true,
    'change.dismiss': true,
    'change.refused': true,
    'change.saved': true,
    'groups.read': true,
    'notes.unchanged': true,
    'port.broken': true,
  },
  reporter: {
    'delivery.resume': true,
    'port.broken': true,
    'report.allowed': true,
    'report.captured': true,
    'report.declined': true,
    'report.delivered': true,
    'report.requested': true,
  },
  reportDelivery: {
    'delivery.resume': true,
    'outbox.empty': true,
    'outbox.inUse': true,
    'outbox.next': true,
    'outbox.settled': true,
    'part.failed': true,
    'part.refused': true,
    'part.sent': true,
    'port.broken': true,
  },
  retries: { 'retries.flush': true, 'retry.add': true, 'retry.cancel': true, 'retry.due': true },
  survey: { 'family.answered': true, 'survey.retry': true },
  backendHealth: {
    'backend.answered': true,
    'backend.called': true,
    'backend.check': true,
    'backend.keyChanged': true,
    'backend.silent': true,
    'check.answered': true,
    'check.failed': true,
    'device.changed': true,
  },
}

/** Events that a machine raises itself. */
export const raised: readonly string[] = [
  'channel.joined',
  'channel.left',
  'channel.rejoin',
  'queue.next',
  'recovery.ended',
  'retry.due',
]

const byPort = Object.fromEntries(Object.entries(ports).map(([name, types]) => [name, Object.keys(types)]))

/** Names of all ports. */
export const portNames: readonly string[] = Object.keys(ports)

/** Events that a port may send. */
export const portEvents = (name: string): readonly string[] => byPort[name] ?? []

/** Events that a machine may receive: from its ports while they run, from other machines at any time. */
export function acceptedBy(id: keyof Machines, runs: readonly string[]): AcceptedEvents {
  const fromPorts = new Set(runs.flatMap(portEvents))
  return { ports: byPort, reported: Object.keys(reported[id]).filter(type => !fromPorts.has(type)) }
}
