// The hooks of `chartroom/react`.
export type { DataOf, RequestKey, RunRequest } from './answer.ts'
export { type ChannelView, useChannel, useChannelEvent, usePresence } from './channel.ts'
export { ChartroomProvider, useClient, useSession, useStatus } from './client.ts'
export {
  type Mutation,
  type MutationOptions,
  type MutationOutcome,
  type RunMutation,
  useMutation,
} from './mutation.ts'
export {
  type RequestHookOptions,
  type RequestResult,
  type RequestState,
  useRequest,
  useSuspenseRequest,
} from './request.ts'
export type { RetryRequest } from './request-cache.ts'
