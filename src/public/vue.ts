// The public entry `chartroom/vue`: a plugin and composables over one client.
export {
  type ChannelView,
  chartroom,
  useChannel,
  useClient,
  useRequests,
  useSession,
  useStatus,
} from '../ui/vue/index.ts'
