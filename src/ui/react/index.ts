// The hooks of `chartroom/react`.
export type { DataOf, RequestKey, RunRequest } from './answer.ts'
export { type ChannelView, useChannel, useChannelEvent, usePresence } from './channel.ts'
export { ChartroomProvider, useClient, useSession, useStatus } from './client.ts'
export { type RequestHookOptions, type RequestState, type RetryRequest, useRequest } from './request.ts'
export { type RequestResult, useSuspenseRequest } from './suspense.ts'
