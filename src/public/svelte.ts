// The public entry `chartroom/svelte`: stores over one client.
export {
  channelOf,
  type FollowedChannel,
  getClient,
  sessionOf,
  setClient,
  statusOf,
} from '../ui/svelte/index.ts'
