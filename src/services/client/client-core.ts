// The composition root: joins machines, effects and recorder, without supabase-js.
import {
  type ClientCommand,
  type ChannelEmitted,
  type channelMachine,
  type CheckKeyEvent,
  clientStatus,
  type ClientStatus,
  isDue,
  type KeyFamily,
  type realtimeStatus,
} from '../../machines/index.ts'
import { APP_VERSION } from './app-version.ts'
import { createAuthApi } from './auth/auth-api.ts'
import { createChannelHandles } from './realtime/channel-handles.ts'
import { createClock, createEntropy, createKeepAlive, effect, type Platform } from '../runtime/index.ts'
import { composeCore } from './compose-core.ts'
import { createEnvironmentPort, pageEnvironment, createTickerPort } from './environment.ts'
import { carriedFetch, fetchWithHeaders } from './requests/responses.ts'
import { createCurrentKey } from './requests/current-key.ts'
import { createGatedFetch } from './requests/gated-fetch.ts'
import { createLazyRealtime } from './realtime/lazy-realtime.ts'
import { type ClientActor, runBare, type Runner } from './runner.ts'
import { createSessionStore, defaultStorage, isShared } from './auth/session-store.ts'
import { claimStorageKey } from './auth/storage-key-use.ts'
import { createAuthPorts } from './auth/supabase-auth.ts'
import type { createLazyTokenProvider } from './auth/lazy-token-provider.ts'
import type { TokenProviderHost } from './auth/token-provider.ts'
import { checkPublicKey, type ClientSettings } from './options.ts'
import { createTabsPorts, tabsOptions } from './tabs/tabs.ts'
import { createLazyUploads } from './uploads/lazy-uploads.ts'
import { pageAddress } from './auth/url-session.ts'
import { createVault } from './auth/vault.ts'
import type { ActorRefFrom } from 'xstate'
import { isEqual, Listeners } from '../../trace/index.ts'

/** Loads the code for sign-in requests. */
export const loadAccount = () => import('./auth/supabase-account.ts')

type Provider = ReturnType<typeof createLazyTokenProvider>

/** Composes the machines, effects and recorder of a client, which use the platform from now on. */
export function composeSystem(settings: ClientSettings, provider: Provider | undefined) {
  const { url, key, flowType, storageKey, timings, control } = settings
  const storage = settings.storage ?? defaultStorage()
  const { fetch: appFetch = carriedFetch(globalThis.fetch.bind(globalThis)), headers } = settings.global
  const world: Platform = {
    fetch: headers ? fetchWithHeaders(appFetch, headers) : appFetch,
    WebSocket: settings.transport ?? globalThis.WebSocket,
    storage,
    clock: createClock(undefined, true),
  }
  const { fetch: sent, WebSocket, clock, page, ...controlled } = control?.world(world) ?? world
  const currentKey = createCurrentKey(key)
  const fetch = currentKey.over(sent)
  const entropy = createEntropy()
  const keepAlive = createKeepAlive()
  const vault = createVault(secret => runner.registerSecret(secret))
  const { experimental, detectSessionInUrl = true, autoRefreshToken } = settings.auth
  const endpoint = { url, key, storage, storageKey, flowType, id: entropy.id, experimental }
  const store = createSessionStore(controlled.storage, storageKey, isShared(storage))
  const send = (command: ClientCommand) => runner.send(command)
  const gated = createGatedFetch({
    url,
    key,
    fetch,
    keepAlive,
    isBounded: settings.isBounded,
    now: clock.now,
    redactUrl: address => runner.redactUrl(address),
    accessToken: tokenId => vault.session(tokenId)?.access_token,
    ready: provider?.ready,
    retriesReads: settings.db.retry ?? true,
    start: info => send({ type: 'request.start', info, at: clock.now() }),
    abort: id => send({ type: 'request.abort', id }),
  })
  const fetchAsUser = gated.with({ access: 'user' })
  const ports = {
    ...createAuthPorts({
      ...endpoint,
      fetch,
      clock,
      vault,
      store,
      fetchAsUser,
      random: entropy.random,
      account: loadAccount,
      page: pageAddress(),
      isOurs: provider ? false : detectSessionInUrl,
    }),
    ...provider?.ports,
    ...createTabsPorts(tabsOptions(storage, storageKey, clock, store)),
    ticker: createTickerPort(clock),
    environment: createEnvironmentPort(pageEnvironment(page), clock),
    send: gated.send,
    checkKey: effect<{ readonly families: readonly KeyFamily[] }, CheckKeyEvent>(
      async ({ families }, signal, report) => {
        const { checkKey } = await import('./requests/check-key.ts')
        return checkKey({ url, key, fetch }, families, signal, report)
      },
    ),
  }
  // The session of the machines' token. The storage may already contain another tab's session.
  const session = () => vault.session(runner.actor.getSnapshot().context.token?.id ?? '')
  const realtime = createLazyRealtime({
    url,
    key,
    currentKey: currentKey.value,
    fetch,
    clock,
    timings,
    send,
    accessToken: () => session()?.access_token,
    gatedFetch: gated.fetch,
    WebSocket,
    options: settings.socket,
    load: () => import('./realtime/realtime-parts.ts'),
    resync: topic => channels.resync(topic),
    refuse: (topic, settled) => channels.report({ type: 'channel.settled', topic, settled }),
    changed: () => channels.update(),
  })
  const uploads = createLazyUploads({
    ...endpoint,
    fetch: gated.fetch,
    now: clock.now,
    keepAlive,
    storage: controlled.storage,
    send,
    load: () => import('./uploads/uploads-parts.ts'),
    runner: () => runner,
  })
  const run = (settings.recording ?? runBare)({
    appVersion: APP_VERSION,
    clock,
    entropy,
    compose: customParts =>
      uploads.prepare(
        realtime.prepare(composeCore(ports).client, customParts?.realtime),
        customParts?.uploads,
      ),
    input: {
      timings,
      seed: Math.floor(entropy.random() * 2 ** 32),
    },
  })
  // App listeners run after the step that concerns them, never inside it.
  const route = createCommandRouter(report => queueMicrotask(() => channels.report(report)))
  const plainRunner = {
    ...run,
    send: (command: ClientCommand) => run.between(() => route(run.actor, command)),
  }
  const runner = control?.attach(plainRunner) ?? plainRunner
  runner.registerSecret(key)
  const watch = createStatusWatch(runner, () => realtime.parts()?.status)
  const auth = createAuthApi({
    vault,
    send,
    id: entropy.id,
    status: watch.current,
    onStatus: watch.add,
    keepAlive,
  })
  const channels = createChannelHandles({
    join: (topic, use, joinOptions) =>
      realtime.send({ type: 'channel.join', topic, use, options: joinOptions }),
    leave: (topic, use) => realtime.send({ type: 'channel.leave', topic, use }),
    command: (topic, command) => realtime.send({ type: 'channel.command', topic, command }),
    status: watch.current,
    onStatus: watch.add,
    keepAlive,
    reason: realtime.reason,
    post: message => realtime.parts()?.post(message),
    id: entropy.id,
    presenceDiff: (before, now) => realtime.parts()?.presenceDiff(before, now) ?? { joins: [], leaves: [] },
  })
  runner.actor.on('*', event =>
    queueMicrotask(() => {
      if (event.type === 'auth.settled') auth.settle(event)
      else if (event.type === 'request.settled') gated.settle(event.output)
      else gated.answer(event.id)
    }),
  )
  const refreshAutomatically = (automatic: boolean) => send({ type: 'refresh.automatic', automatic })

  let releaseKey = () => {}

  return {
    start() {
      releaseKey = claimStorageKey(storage, storageKey)
      runner.start()
      if (autoRefreshToken === false) refreshAutomatically(false)
    },
    clock,
    keepAlive,
    storage,
    id: entropy.id,
    auth: auth.api,
    attempt: auth.attempt,
    commit: auth.commit,
    session,
    uploads: uploads.api,
    fetch: gated.call,
    gatedFetch: gated.with,
    fetchAsUser,
    channel: channels.open,
    status: watch.current,
    onStatus: watch.add,
    recording: runner.recording,
    refreshAutomatically,
    wake: () => send({ type: 'refresh.request' }),
    connect: () => realtime.send({ type: 'realtime.connect' }),
    disconnect: () => realtime.send({ type: 'realtime.disconnect' }),
    replaceKey(next: string) {
      checkPublicKey(next)
      runner.registerSecret(next)
      currentKey.replace(next)
      send({ type: 'key.replaced' })
    },
    checkKey: () => send({ type: 'key.check' }),
    /** For tokens of another auth service. */
    tokenHost: (accessToken: TokenProviderHost['accessToken']): TokenProviderHost => ({
      accessToken,
      clock,
      vault,
      timings,
      random: entropy.random,
      isDue: token => isDue(token, clock.now(), timings),
      attempt: auth.attempt,
      signOut: auth.api.signOut,
      status: watch.current,
      onStatus: watch.add,
    }),
    dispose() {
      runner.stop()
      releaseKey()
      realtime.dispose()
      gated.dispose()
      auth.dispose()
      provider?.dispose()
      channels.dispose()
      uploads.dispose()
      vault.forget()
    },
  }
}

type ChannelActor = ActorRefFrom<typeof channelMachine>

/** Returns the actor of a topic while the topic is in use. */
function channelOf(client: ClientActor, topic: string): ChannelActor | undefined {
  const { children } = client.getSnapshot()
  return children.realtime?.getSnapshot().children[`channel.${topic}`] as ChannelActor | undefined
}

/** @param onEmitted called inside the step of the channel that emits an event */
export function createCommandRouter(onEmitted: (emitted: ChannelEmitted) => void) {
  const watched = new WeakSet<ChannelActor>()
  /** Returns the channel and subscribes to it. */
  const watchedChannel = (client: ClientActor, topic: string): ChannelActor | undefined => {
    const channel = channelOf(client, topic)
    if (channel && !watched.has(channel)) {
      watched.add(channel)
      channel.on('*', onEmitted)
    }
    return channel
  }
  return (client: ClientActor, command: ClientCommand): void => {
    if (command.type === 'channel.command') watchedChannel(client, command.topic)?.send(command.command)
    else client.send(command)
    // A channel that is joined within a step exists when that step ends.
    if (command.type === 'channel.join' && !watchedChannel(client, command.topic))
      queueMicrotask(() => watchedChannel(client, command.topic))
  }
}

/** @param ofRealtime the part of the status that loads with the realtime code */
export function createStatusWatch(
  { actor, steps }: Pick<Runner, 'actor' | 'steps'>,
  ofRealtime: () => typeof realtimeStatus | undefined,
) {
  const listeners = new Listeners<[status: ClientStatus]>()
  let status = clientStatus(actor.getSnapshot(), ofRealtime())
  let version = steps.version()
  let reported = status
  let stop: (() => void) | undefined
  const current = () => {
    if (version === steps.version()) return status
    version = steps.version()
    status = share(status, clientStatus(actor.getSnapshot(), ofRealtime()))
    return status
  }
  const notify = () => {
    if (reported === current()) return
    const next = (reported = status)
    // Each listener runs in its own microtask, so that one that throws does not affect the others.
    for (const listener of listeners) queueMicrotask(() => void (listeners.has(listener) && listener(next)))
  }
  const add = (listener: (status: ClientStatus) => void) => {
    // Without listeners, steps are not checked.
    if (!stop) {
      reported = current()
      stop = steps.subscribe(notify)
    }
    const leave = listeners.subscribe(listener)
    return () => {
      leave()
      if (listeners.size > 0) return
      stop?.()
      stop = undefined
    }
  }
  return { current, add }
}

/** Returns the new status, reusing equal parts of the old one, so that identity means equality. */
function share(before: ClientStatus, after: ClientStatus): ClientStatus {
  let shared = before
  for (const [name, part] of Object.entries<unknown>({ ...after }))
    if (!isEqual(before[name as keyof ClientStatus], part)) shared = { ...shared, [name]: part }
  return shared
}
