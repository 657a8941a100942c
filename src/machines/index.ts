// The statecharts and their types, as other packages use them.
export { type ClientCommand, type ClientInput, clientMachine, type UploadsCommand } from './client.ts'
export { apiKeyMachine } from './api-key.ts'
export {
  aborted,
  type AccessRefusal,
  bug,
  disposed,
  type Failure,
  isKeyRefusal,
  keyFailure,
  type KeyFamily,
  type KeyRefusal,
  offline,
  type SignedOutReason,
  terminalReason,
  timedOut,
} from './failure.ts'
export {
  type AuthenticateEvent,
  type CheckKeyEvent,
  type HttpEvent,
  checkName,
  type CheckNameEvent,
  type EnvironmentEvent,
  type LeadershipEvent,
  type LoadUserEvent,
  type LockEvent,
  type PortBroken,
  type ProbeEvent,
  probeSocket,
  type ReadEvent,
  type RefreshTokenEvent,
  type RemoveEvent,
  resync,
  type ResyncEvent,
  type RevokeEvent,
  type SendCommand,
  type SendEvent,
  type SignOutScope,
  socket,
  type SocketCommand,
  type SocketEvent,
  type SocketInput,
  type StoredChanged,
  type StoreSessionEvent,
  type TabsCommand,
  type TabsEvent,
  type TickEvent,
  topic,
  transfer,
  type TransferEvent,
  type UrlEvent,
} from './ports.ts'
export { collectionRowsMachine } from './outbox/collection-rows.ts'
export { outboxMachine } from './outbox/outbox.ts'
export {
  type ClaimQueueEvent,
  SIGNED_OUT,
  type ReadQueueEvent,
  type ReadRowsEvent,
  type SendWriteEvent,
  type StoreDecisionEvent,
  type WatchClientEvent,
  type WatchQueueEvent,
  type WatchRowsEvent,
  type WriteDecision,
  type WriteInfo,
} from './outbox/outbox-info.ts'
export {
  type OutboxPhase,
  outboxStatus,
  type OutboxStatus,
  type RowsPhase,
  rowsStatus,
  type RowsStatus,
  type WritePhase,
  writesStatus,
  type WriteStatus,
} from './outbox/outbox-status.ts'
export {
  changeKey,
  type ChannelCommand,
  type ChannelMessage,
  type ChannelOptions,
  OTHER_USER,
  type Persist,
  type PostgresChange,
  type PresenceState,
  type PushSettled,
  type RowChange,
  type SystemMessage,
  type TopicEvent,
} from './realtime/channel-events.ts'
export type { ChannelEmitted } from './realtime/channel-setup.ts'
export { channelMachine } from './realtime/channel.ts'
export { connectionMachine } from './realtime/connection.ts'
export { realtimeStatus } from './realtime/realtime-status.ts'
export { realtimeMachine } from './realtime/realtime.ts'
export { refreshAttemptMachine } from './refresh/attempt.ts'
export { changedElsewhere } from './refresh/setup.ts'
export { refreshMachine } from './refresh/refresh.ts'
export {
  type NextReportEvent,
  reportDeliveryMachine,
  type SendPartEvent,
  type SettleReportEvent,
} from './reports/delivery.ts'
export {
  type CaptureEvent,
  type DecideEvent,
  type ReportCause,
  type ReportDeclined,
  reporterMachine,
  type ReportOutcome,
  type ReportRequest,
} from './reports/reporter.ts'
export {
  brokenOff,
  type Priority,
  type RequestInfo,
  requestMachine,
  type RequestOutput,
  SAFE_METHODS,
} from './requests/request.ts'
export { requestsMachine } from './requests/requests.ts'
export { noSession, type SessionReport } from './session/setup.ts'
export { type Access, type ChartroomUser, isDue, type Token } from './session/gate.ts'
export { sessionMachine } from './session/session.ts'
export {
  type ChannelPhase,
  type ChannelStatus,
  type ClientStatus,
  clientStatus,
  type ConnectionPhase,
  type KeyStatus,
  type SessionStatus,
  type TokenStatus,
} from './status.ts'
export { tabMachine } from './tab.ts'
export { DEFAULT_TIMINGS, type Timings } from './timings.ts'
export { sizeParts } from './uploads/format-size.ts'
export {
  type ConflictAnswer,
  numbered,
  type UploadCommand,
  type UploadInfo,
  type UploadLimits,
} from './uploads/upload-info.ts'
export { type UploadPhase, uploadsStatus, type UploadStatus } from './uploads/upload-status.ts'
export { uploadMachine } from './uploads/upload.ts'
export { uploadsMachine } from './uploads/uploads.ts'
export { draw } from './backoff.ts'
export {
  briefly,
  type ChildSpec,
  childRests,
  fields,
  hasEnded,
  type Ignored,
  type PortSpec,
  type Samples,
  type Spec,
  specify,
} from './specify.ts'
