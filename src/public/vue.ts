// The public entry `chartroom/vue`: a plugin and composables over one client.
export {
  chartroom,
  type FollowedChannel,
  useChannel,
  useClient,
  useRequests,
  useSession,
  useStatus,
} from '../ui/vue/index.ts'
