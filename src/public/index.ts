// The public entry `chartroom`: the client and its types.
export { createChartroomClient } from '../services/client/create-client.ts'
export { describeFailure } from '../services/client/requests/describe-failure.ts'
export { RequestError } from '../services/client/requests/request-error.ts'
export { DEFAULT_TIMINGS } from '../machines/timings.ts'
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
} from '../services/client/client-types.ts'
export type {
  ConflictAnswer,
  NewUpload,
  UploadLimits,
  UploadPhase,
  UploadsApi,
  UploadStatus,
} from '../services/client/uploads/upload-types.ts'
export type { RunClient } from '../services/client/runner.ts'
