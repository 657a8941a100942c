// The public entry `chartroom/react`: a provider and hooks over one client.
export { ChartroomProvider, useClient } from './react/client.ts'
export { useSession, useStatus } from './react/status.ts'
export type { DataOf, RequestKey, RunRequest } from './react/answer.ts'
export { useRequest, type RequestState } from './react/request.ts'
export { useSuspenseRequest, type RequestResult } from './react/suspense.ts'
export { useChannel, useChannelEvent, usePresence, type ChannelView } from './react/channel.ts'
