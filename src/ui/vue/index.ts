// The composables of `chartroom/vue`: a client, its status and channels in the setup of components.
import {
  computed,
  type ComputedRef,
  inject,
  type InjectionKey,
  type MaybeRefOrGetter,
  onMounted,
  onScopeDispose,
  onUnmounted,
  type Plugin,
  shallowReadonly,
  type ShallowRef,
  shallowRef,
  toValue,
  watch,
} from 'vue'
import {
  BOOTING,
  type ChannelHandle,
  type ChannelOptions,
  type ChartroomClient,
  type ClientStatus,
  type DataClient,
  followChannel,
  type FollowedChannel,
  needClient,
  type RequestOptions,
  type SessionStatus,
  UNJOINED,
} from '../../services/client/index.ts'

export type { FollowedChannel }

const CLIENT: InjectionKey<unknown> = Symbol('chartroom')

/**
 * Gives a client to all components: `app.use(chartroom(client))`. It lives until the app disposes of it.
 * @throws TypeError for anything but a client, such as `client.supabase`
 */
export function chartroom<Database>(client: ChartroomClient<Database>): Plugin {
  needClient(client, 'chartroom(client)')
  return { install: app => void app.provide(CLIENT, client) }
}

/** The client of the app. @throws Error without the plugin */
export function useClient<Database = unknown>(): ChartroomClient<Database> {
  const client = inject(CLIENT, undefined)
  if (client === undefined) throw new Error('No client was given: call app.use(chartroom(client)) first.')
  return client as ChartroomClient<Database>
}

/** The client's status while the component is mounted. On a server it does not change. */
export function useStatus(): Readonly<ShallowRef<ClientStatus>> {
  const client = useClient()
  const status = shallowRef(globalThis.document ? client.status() : BOOTING)
  let stop = () => {}
  onMounted(() => {
    status.value = client.status()
    stop = client.onStatus(next => (status.value = next))
  })
  onUnmounted(() => stop())
  return shallowReadonly(status)
}

/** Only the session of the status. */
export function useSession(): ComputedRef<SessionStatus> {
  const status = useStatus()
  return computed(() => status.value.session)
}

/** A data client whose calls are aborted when the component unmounts. */
export function useRequests<Database = unknown>(options: Omit<RequestOptions, 'signal'> = {}) {
  const left = new AbortController()
  onScopeDispose(() => left.abort())
  const requests: DataClient<Database> = useClient<Database>().with({ ...options, signal: left.signal })
  return requests
}

/**
 * Joins a topic while the component is mounted, and another one when the topic changes; `undefined` joins
 * nothing. `onJoin` gets each handle, e.g. to listen with `handle.on('change', …)`.
 */
export function useChannel(
  topic: MaybeRefOrGetter<string | undefined>,
  options: ChannelOptions = {},
  onJoin?: (handle: ChannelHandle) => void,
): Readonly<ShallowRef<FollowedChannel>> {
  const client = useClient()
  const view = shallowRef(UNJOINED)
  let leave = () => {}
  const join = (name: string | undefined) => {
    leave()
    leave =
      name === undefined
        ? () => {}
        : followChannel(client, { topic: name, options, onJoin }, state => (view.value = state))
  }
  onMounted(() => watch(() => toValue(topic), join, { immediate: true }))
  onUnmounted(() => leave())
  return shallowReadonly(view)
}
