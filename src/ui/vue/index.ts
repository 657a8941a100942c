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
import type {
  ChannelHandle,
  ChannelOptions,
  ChannelStatus,
  ChartroomClient,
  ClientStatus,
  DataClient,
  PresenceState,
  RequestOptions,
  SessionStatus,
} from '../../services/client/index.ts'

const CLIENT: InjectionKey<unknown> = Symbol('chartroom')

/** Gives a client to all components: `app.use(chartroom(client))`. It lives until the app disposes of it. */
export const chartroom = <Database>(client: ChartroomClient<Database>): Plugin => ({
  install: app => void app.provide(CLIENT, client),
})

/** @throws Error without the plugin */
export function useClient<Database = unknown>(): ChartroomClient<Database> {
  const client = inject(CLIENT, undefined)
  if (client === undefined) throw new Error('No client was given: call app.use(chartroom(client)) first.')
  return client as ChartroomClient<Database>
}

/** The client's status while the component is mounted. On a server it does not change. */
export function useStatus(): Readonly<ShallowRef<ClientStatus>> {
  const client = useClient()
  const status = shallowRef(client.status())
  let stop = () => {}
  onMounted(() => {
    status.value = client.status()
    stop = client.onStatus(next => (status.value = next))
  })
  onUnmounted(() => stop())
  return shallowReadonly(status)
}

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

export interface ChannelView {
  readonly status: ChannelStatus
  readonly presence: PresenceState
  /** Undefined until the component is mounted. */
  readonly handle: ChannelHandle | undefined
}

const WAITING: ChannelStatus = { phase: 'waiting', postgres: 'none', data: 'none' }
const BEFORE: ChannelView = { status: WAITING, presence: {}, handle: undefined }

/**
 * Joins a topic while the component is mounted, and another one when the topic changes; `undefined` joins
 * nothing. `onJoin` gets each handle, e.g. to listen with `handle.on('change', …)`.
 */
export function useChannel(
  topic: MaybeRefOrGetter<string | undefined>,
  options: ChannelOptions = {},
  onJoin: (handle: ChannelHandle) => void = () => undefined,
): Readonly<ShallowRef<ChannelView>> {
  const client = useClient()
  const view = shallowRef(BEFORE)
  let leave = () => {}
  const join = (name: string | undefined) => {
    leave()
    if (name === undefined) return
    const handle = client.channel(name, options)
    const show = () => (view.value = { status: handle.status(), presence: handle.presence(), handle })
    const stops = [handle.on('status', show), handle.on('presence', show)]
    leave = () => {
      for (const stop of stops) stop()
      handle.leave()
      view.value = BEFORE
      leave = () => {}
    }
    show()
    onJoin(handle)
  }
  onMounted(() => watch(() => toValue(topic), join, { immediate: true }))
  onUnmounted(() => leave())
  return shallowReadonly(view)
}
