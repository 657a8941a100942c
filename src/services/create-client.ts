// The composition root: joins the machines, their effects and the recorder to a client.
import type { ClientCommand } from '../machines/client-events.ts'
import type { clientMachine } from '../machines/client.ts'
import { clientStatus, type ClientStatus } from '../machines/status.ts'
import { DEFAULT_TIMINGS } from '../machines/timings.ts'
import { createRedactor } from '../trace/redact.ts'
import { createAuthApi } from './auth-api.ts'
import { createChannelHandles } from './channel-handles.ts'
import type { ChartroomClient, ChartroomOptions, Recording } from './client-types.ts'
import { createClock } from './clock.ts'
import { CLIENT_SYSTEM, composeClient } from './compose-client.ts'
import { createEntropy } from './entropy.ts'
import { createEnvironmentPort, surroundings } from './environment.ts'
import { createGatedFetch } from './gated-fetch.ts'
import { createRecorder, type Recorder } from './recording/recorder.ts'
import { createSessionStore, defaultStorage, defaultStorageKey } from './session-store.ts'
import { createAuthPorts } from './supabase-auth.ts'
import { createDataClient } from './supabase-data.ts'
import { createRealtimePorts } from './supabase-realtime.ts'
import { createTickerPort } from './ticker.ts'
import { createVault } from './vault.ts'

/** Version of this package, written into traces. */
const APP_VERSION = '0.1.0'

/** Some hours of busy work in some tens of megabytes; a page that lives for weeks must not fill its memory. */
const RECORDING_LIMIT = 100_000

/**
 * Creates a client for one backend and starts it: it reads the stored session and keeps it alive until
 * `dispose`. Make one for each app, outside of rendering.
 *
 * @throws TypeError when `url` is not an http(s) URL or `key` is empty.
 */
export function createChartroomClient<Database = unknown>(
  options: ChartroomOptions,
): ChartroomClient<Database> {
  const url = baseUrl(options)
  const { key } = options
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis)
  const clock = createClock()
  const entropy = createEntropy()
  const vault = createVault(secret => recorder.registerSecret(secret))
  const storage = options.storage ?? defaultStorage()
  const storageKey = options.storageKey ?? defaultStorageKey(url)
  const { flowType = 'implicit' } = options
  const store = createSessionStore(storage, storageKey)
  const send = (command: ClientCommand) => recorder.send(command)
  const gated = createGatedFetch({
    url,
    key,
    fetch,
    redactUrl: createRedactor().text,
    accessToken: tokenId => vault.session(tokenId)?.access_token,
    start: info => send({ type: 'request.start', info }),
    abort: id => send({ type: 'request.abort', id }),
  })
  const ports = {
    ...createAuthPorts({
      url,
      key,
      fetch,
      clock,
      vault,
      store,
      storage,
      storageKey,
      flowType,
      id: entropy.id,
    }),
    ...createRealtimePorts({
      url,
      key,
      accessToken: vault.accessToken,
      WebSocket: options.WebSocket ?? globalThis.WebSocket,
    }),
    ticker: createTickerPort(clock),
    environment: createEnvironmentPort(surroundings()),
    send: gated.send,
  }
  const recorder: Recorder<typeof clientMachine> = createRecorder({
    system: CLIENT_SYSTEM,
    appVersion: APP_VERSION,
    clock,
    entropy,
    compose: parts => composeClient(ports, parts),
    input: {
      timings: { ...DEFAULT_TIMINGS, ...options.timings },
      seed: Math.floor(entropy.random() * 2 ** 32),
    },
  })
  recorder.registerSecret(key)
  const watch = createStatusWatch(recorder)
  const auth = createAuthApi({ vault, send, id: entropy.id, status: watch.current, onStatus: watch.add })
  const channels = createChannelHandles({
    join: (topic, wanted) => send({ type: 'channel.join', topic, options: wanted }),
    leave: topic => send({ type: 'channel.leave', topic }),
    command: (topic, command) => send({ type: 'channel.command', topic, command }),
    id: entropy.id,
  })
  // Listeners of the app run after the step that concerns them, never inside it.
  recorder.actor.on('*', event =>
    queueMicrotask(() => {
      if (event.type === 'auth.settled') auth.settle(event)
      else if (event.type === 'request.settled') gated.settle(event.output)
      else channels.report(event)
    }),
  )
  watch.add(channels.update)
  limit(recorder, options.recordingLimit ?? RECORDING_LIMIT)
  recorder.start()

  return {
    url,
    auth: auth.api,
    supabase: createDataClient<Database>(url, key, gated.fetch),
    channel: channels.open,
    status: watch.current,
    onStatus: watch.add,
    now: clock.now,
    recording: recordingOf(recorder),
    dispose() {
      recorder.stop()
      gated.dispose()
      auth.dispose()
      channels.dispose()
      vault.forget()
      return Promise.resolve()
    },
  }
}

function baseUrl({ url, key }: ChartroomOptions): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new TypeError('`url` must be the http(s) address of a backend, e.g. https://example.supabase.co')
  }
  if (key === '') throw new TypeError('`key` must be the publishable key of the backend')
  return (parsed.origin + parsed.pathname).replace(/\/+$/, '')
}

/** Begins a new recording, from a keyframe of the system as it is, whenever the one before grew too long. */
function limit({ trace, isRecording, startRecording }: Recorder<typeof clientMachine>, stimuli: number) {
  let since = trace.version()
  trace.subscribe(() => {
    if (!isRecording() || trace.version() - since < stimuli) return
    startRecording()
    since = trace.version()
  })
}

/** Keeps the derived status, and tells of it when it really changed. */
function createStatusWatch({ actor, trace }: Recorder<typeof clientMachine>) {
  const listeners = new Set<(status: ClientStatus) => void>()
  let status = clientStatus(actor.getSnapshot())
  let version = trace.version()
  let told = status
  const current = () => {
    if (version === trace.version()) return status
    version = trace.version()
    status = share(status, clientStatus(actor.getSnapshot()))
    return status
  }
  trace.subscribe(() => {
    if (told === current()) return
    told = status
    for (const listener of listeners) listener(status)
  })
  const add = (listener: (status: ClientStatus) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return { current, add }
}

/** The new status with every part that is equal taken from the old one, so that identity means sameness. */
function share(before: ClientStatus, after: ClientStatus): ClientStatus {
  const parts = Object.entries(after).map(([name, part]): [string, unknown] => {
    const old: unknown = before[name as keyof ClientStatus]
    return [name, JSON.stringify(old) === JSON.stringify(part) ? old : part]
  })
  const isSame = parts.every(([name, part]) => part === before[name as keyof ClientStatus])
  return isSame ? before : (Object.fromEntries(parts) as unknown as ClientStatus)
}

function recordingOf(recorder: Recorder<typeof clientMachine>): Recording {
  return {
    trace: recorder.trace,
    isRecording: recorder.isRecording,
    start: recorder.startRecording,
    stop: recorder.stopRecording,
    download: async () => new Blob([await recorder.file()], { type: 'application/gzip' }),
  }
}
