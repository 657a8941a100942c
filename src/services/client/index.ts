// The client: composition, auth, requests, realtime, tabs and uploads.
export { retryAfterOf } from './auth/auth-response.ts'
export { type HostSettings, type HostSettingsResult, readHostSettings } from './auth/host-settings.ts'
export { createClientBeforeSupabase, loadSupabase } from './client-before-supabase.ts'
export type {
  AuthApi,
  ChannelEvents,
  ChannelHandle,
  ChannelOptions,
  ChannelPhase,
  ChannelStatus,
  ChartroomClient,
  ChartroomOptions,
  ChartroomUser,
  ClientRecording,
  ClientStatus,
  ConnectionPhase,
  DataClient,
  Failure,
  PostgresChange,
  PresenceChange,
  PresenceState,
  RecordedClient,
  RequestOptions,
  Result,
  RowChange,
  SessionStatus,
  SignedOutReason,
  Timings,
  TokenStatus,
} from './client-types.ts'
export { CLIENT_SYSTEM, composeClient, composeMachines, declaredPorts } from './compose-client.ts'
export { createChartroomClient } from './create-client.ts'
export { boundedFetch } from './requests/bounded-fetch.ts'
export { carriedFetch } from './requests/carried-fetch.ts'
export { describeFailure } from './requests/describe-failure.ts'
export type { RunClient } from './runner.ts'
export { type TabLocks, tabPresence } from './tabs/tab-presence.ts'
export type {
  ConflictAnswer,
  NewUpload,
  UploadLimits,
  UploadPhase,
  UploadsApi,
  UploadStatus,
} from './uploads/upload-types.ts'
