// The public entry `chartroom`: the client, its types, and the probe of a backend.
export { createChartroomClient } from './services/create-client.ts'
export { RequestError } from './services/gated-fetch.ts'
export { probeBackend, readOwnJson, type ProbeProblem, type ProbeResult } from './services/probe.ts'
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
  PresenceState,
  Recording,
  Result,
  RowChange,
  SessionStatus,
  SessionStorage,
  SignedOutReason,
  Timings,
  TokenStatus,
} from './services/client-types.ts'
