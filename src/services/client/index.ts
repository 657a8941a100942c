// The client: composition, auth, requests, realtime, tabs and uploads.
export { type HostSettings, type HostSettingsResult, readHostSettings } from './auth/host-settings.ts'
export { memoryStorage } from './auth/session-store.ts'
export { BOOTING } from './booting.ts'
export { createClientBeforeSupabase, loadSupabase } from './client-before-supabase.ts'
export type {
  AuthApi,
  ChannelEvents,
  ChannelHandle,
  ChannelOptions,
  ChannelPhase,
  ChannelStatus,
  ChartroomClient,
  ChartroomUser,
  ClientRecording,
  ClientStatus,
  ConnectionPhase,
  DataClient,
  Failure,
  KeyFamily,
  KeyRefusal,
  KeyStatus,
  PostgresChange,
  PresenceChange,
  PresenceState,
  RecordedClient,
  RequestOptions,
  Result,
  RowChange,
  SessionStatus,
  SignedOutReason,
  TokenStatus,
} from './client-types.ts'
export type { FileContext } from '../recording/index.ts'
export { CLIENT_SYSTEM, composeClient, composeMachines, declaredPorts } from './compose-client.ts'
export { createChartroomClient } from './create-client.ts'
export type {
  AuthOptions,
  ChartroomOptions,
  DatabaseOptions,
  GlobalOptions,
  RealtimeOptions,
} from './options.ts'
export { identityIn } from './identity.ts'
export { needClient } from './need-client.ts'
export { describeFailure } from './requests/describe-failure.ts'
export { recordedStatus } from './recorded-status.ts'
export { boundedFetch, carriedFetch, retryAfterOf } from './requests/responses.ts'
export type { RunClient } from './runner.ts'
export { type TabLocks, tabPresence } from './tabs/tab-presence.ts'
export type {
  ConflictAnswer,
  NewUpload,
  UploadLimits,
  UploadPhase,
  UploadsApi,
  UploadStatus,
} from './uploads/uploads-api.ts'
export { loadSendInParts, PART } from './uploads/transfer.ts'
export type { TusUrlStorage } from './uploads/uploads-parts.ts'
export { followChannel, type FollowedChannel, UNJOINED } from './realtime/follow-channel.ts'
