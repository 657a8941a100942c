// The public entry `chartroom/react`: a provider and hooks over one client.
export { ChartroomProvider, useClient } from '../ui/react/client.ts'
export { useSession, useStatus } from '../ui/react/status.ts'
export type { DataOf, RequestKey, RunRequest } from '../ui/react/answer.ts'
export { useRequest, type RequestState } from '../ui/react/request.ts'
export { useSuspenseRequest, type RequestResult } from '../ui/react/suspense.ts'
export { useChannel, useChannelEvent, usePresence, type ChannelView } from '../ui/react/channel.ts'
