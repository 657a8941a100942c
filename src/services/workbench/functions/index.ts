// Calls of edge and database functions, with their drafts, answers and history.
export {
  BODY_FILE,
  type BodyKind,
  livePairs,
  METHODS,
  type Pair,
  REGIONS,
  takesBody,
  EXAMPLES,
} from './call-draft.ts'
export { findEntries, type HistoryEntry } from './call-history.ts'
export { type CallState, type Head, isUnderWay } from './call-state.ts'
export { canCopy, copySpec } from './call-request.ts'
export { describeResponse, faultOf, waitOf, fileNameOf, isTextual } from './describe-response.ts'
export { type FunctionCallState, FunctionCallStore } from './function-call-store.ts'
export { type KeptResponse, type KeptResponses, matchIn } from './kept-responses.ts'
export type { Body, Part } from './received.ts'
export {
  emptyDraft,
  isPostOnly,
  isText,
  JSON_FIELD,
  NULL,
  readRpc,
  type RpcDraft,
  rpcSpec,
} from './rpc-draft.ts'
export type { RpcFunction } from './rpc-functions.ts'
export { callRpc, rowsIn, type RpcResponse } from './rpc-response.ts'
export { RpcStore } from './rpc-store.ts'
