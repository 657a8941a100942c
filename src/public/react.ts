// The public entry `chartroom/react`: a provider and hooks over one client.
export {
  type ChannelView,
  ChartroomProvider,
  type DataOf,
  type RequestKey,
  type RequestResult,
  type RequestState,
  type RunRequest,
  useChannel,
  useChannelEvent,
  useClient,
  usePresence,
  useRequest,
  useSession,
  useStatus,
  useSuspenseRequest,
} from '../ui/react/index.ts'
