// The client before its first use: the app gets its methods, and the machines start when one is called.
import { composeSystem, loadAccount } from './client-core.ts'
import type { RequestOptions } from './client-types.ts'
import { createLazyTokenProvider } from './auth/lazy-token-provider.ts'
import { type ChartroomOptions, readOptions } from './options.ts'
import { UPLOAD_COMMANDS } from './uploads/lazy-uploads.ts'

/** Methods of an object that is created with the first call of one. */
function methodsOf<Api extends object, Name extends keyof Api & string>(
  api: () => Api,
  ...names: readonly Name[]
): Pick<Api, Name> {
  const call = (name: Name, args: readonly unknown[]): unknown => (api()[name] as Method)(...args)
  return Object.fromEntries(
    names.map(name => [name, (...args: readonly unknown[]) => call(name, args)]),
  ) as Pick<Api, Name>
}

type Method = (...args: readonly unknown[]) => unknown

/**
 * Reads and starts nothing: the client may be created while a page is rendered. It starts when it is first used.
 * @throws TypeError like `createChartroomClient`
 */
export function createClientCore(options: ChartroomOptions) {
  const settings = readOptions(options)
  const { url, key, storageKey, flowType, accessToken, timings, recording } = settings
  // It is given the system; what makes recorders is called without arguments.
  if (recording?.length === 0)
    throw new TypeError('`recording` must be called: `recording: recordEverything()`')
  const { throwOnError = false, experimental } = settings.auth
  let system: ReturnType<typeof composeSystem> | undefined
  let isDisposed = false
  const started = () => {
    if (system) return system
    system = composeSystem(settings, provider)
    // Assigned before, since the app's storage may use the client.
    system.start()
    if (isDisposed) system.dispose()
    return system
  }
  const provider =
    accessToken &&
    createLazyTokenProvider({
      load: () => import('./auth/token-provider.ts'),
      host: () => started().tokenHost(accessToken),
    })
  const auth = methodsOf(
    () => started().auth,
    'signInWithPassword',
    'signUp',
    'signOut',
    'verifyUser',
    'refresh',
  )
  const view = methodsOf(started, 'status', 'onStatus', 'channel')
  const fetchWith =
    (requestOptions: RequestOptions): typeof globalThis.fetch =>
    (input, init) =>
      started().gatedFetch(requestOptions)(input, init)

  return {
    client: {
      ...view,
      ...methodsOf(started, 'fetch', 'replaceKey', 'checkKey'),
      url,
      auth: provider?.api ?? auth,
      uploads: methodsOf(() => started().uploads, 'add', 'list', 'onChange', ...UPLOAD_COMMANDS),
      now: () => started().clock.now(),
      get recording() {
        return started().recording
      },
      dispose() {
        isDisposed = true
        system?.dispose()
        return Promise.resolve()
      },
    },
    /** Arguments of the supabase-js client. */
    supabase: [
      {
        ...view,
        ...auth,
        ...methodsOf(started, 'id', 'attempt', 'commit', 'session', 'wake', 'keepAlive', 'fetchAsUser'),
        ...methodsOf(started, 'refreshAutomatically'),
        url,
        key,
        storageKey,
        flowType,
        experimental,
        storage: methodsOf(() => started().storage, 'getItem', 'setItem', 'removeItem'),
        account: loadAccount,
        throwOnError,
        fetch: fetchWith({}),
        get clock() {
          return started().clock
        },
        tokenTimeout: timings.tokenTimeout,
        data: settings.data,
        isThirdParty: provider !== undefined,
      },
      {
        ...methodsOf(started, 'connect', 'disconnect'),
        options: {
          ...settings.socket,
          timeout: timings.joinTimeout,
          heartbeatIntervalMs: timings.heartbeatEvery,
        },
        open: view.channel,
      },
    ] as const,
    /** Arguments of a client for data only. */
    data: (requestOptions: RequestOptions) => [url, key, fetchWith(requestOptions), settings.data] as const,
  }
}

/**
 * Enough for options written in an app's code; options that are generated for each call must not fill memory.
 */
const LIMIT = 32

export function createBoundClients<Client>(make: (options: RequestOptions) => Client) {
  const clients = new Map<string, Client>()
  return (options: RequestOptions): Client => {
    if (options.signal || options.onStart || options.idempotencyKey !== undefined) return make(options)
    const name = JSON.stringify(options, Object.keys(options).sort())
    const client = clients.get(name) ?? make(options)
    clients.set(name, client)
    if (clients.size > LIMIT) clients.delete(clients.keys().next().value ?? name)
    return client
  }
}
