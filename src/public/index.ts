// The public entry `chartroom`: the client and its types.
export { createChartroomClient } from './services/create-client.ts'
export { describeFailure } from './services/requests/describe-failure.ts'
export { RequestError } from './services/requests/request-error.ts'
export { DEFAULT_TIMINGS } from './machines/timings.ts'
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
  ClientStatus,
  ConnectionPhase,
  DataClient,
  Failure,
  PostgresChange,
  PresenceChange,
  PresenceState,
  RecordedClient,
  ClientRecording,
  RequestOptions,
  Result,
  RowChange,
  SessionStatus,
  SessionStorage,
  SignedOutReason,
  Timings,
  TokenStatus,
} from './services/client-types.ts'
export type {
  ConflictAnswer,
  NewUpload,
  UploadLimits,
  UploadPhase,
  UploadsApi,
  UploadStatus,
} from './services/uploads/upload-types.ts'
export type { RunClient } from './services/runner.ts'
