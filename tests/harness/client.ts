// Clients for tests: recorded, checked against the invariants, and disposed of after each test.
import {
  type AuthOptions,
  createChartroomClient,
  type ChartroomOptions,
  type GlobalOptions,
  type RecordedClient,
} from '../../src/public/index.ts'
import { recordEverything } from '../../src/public/devtools/recording.ts'
import { memoryStorage } from '../../src/services/client/auth/session-store.ts'
import { atTestEnd } from './endings.ts'
import { fakeBackend, json, KEY, sessionBody, URL_BASE, type Answer } from './fake-backend.ts'
import { expectInvariants } from './expect-invariants.ts'

/** The options that most tests set, by short names. */
export interface TestOptions
  extends
    Omit<ChartroomOptions, 'url' | 'key' | 'storage'>,
    Partial<Pick<ChartroomOptions, 'key'>>,
    Pick<AuthOptions, 'storage' | 'storageKey' | 'flowType' | 'detectSessionInUrl' | 'throwOnError'>,
    Partial<Pick<ChartroomOptions, 'key'>>,
    Pick<GlobalOptions, 'fetch'> {
  readonly WebSocket?: typeof globalThis.WebSocket
}

/** The same options as an app writes them. */
const asWritten = ({ fetch, WebSocket, auth, global, realtime, ...rest }: TestOptions) => {
  const { storage, storageKey, flowType, detectSessionInUrl, throwOnError, ...others } = rest
  const short = { storage, storageKey, flowType, detectSessionInUrl, throwOnError }
  return {
    ...others,
    auth: { ...present(short), ...auth },
    global: { ...present({ fetch }), ...global },
    realtime: { ...present({ transport: WebSocket }), ...realtime },
  }
}

type Present<Given> = { [Name in keyof Given]?: NonNullable<Given[Name]> }

const present = <Given extends object>(given: Given) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Present<Given>

/** A client on any backend; the test fails if the client violates an invariant. */
export function watchedClient(options: TestOptions & Pick<ChartroomOptions, 'url' | 'key'>): RecordedClient {
  const { recording = recordEverything(), url, key } = options
  const client = createChartroomClient({ ...asWritten(options), url, key, recording })
  expectInvariants(client.recording.trace)
  atTestEnd(() => client.dispose())
  return client
}

/** A client on a simulated backend. */
export function startClient(routes: Readonly<Record<string, Answer>> = {}, options: TestOptions = {}) {
  const { fetch, requests } = fakeBackend(routes)
  const storage = options.storage ?? memoryStorage()
  const client = watchedClient({ url: URL_BASE, key: KEY, fetch, ...options, storage })
  return { client, requests, storage }
}

export const signIn = { 'POST /auth/v1/token?grant_type=password': () => json(sessionBody('first')) }
export const credentials = { email: 'skipper@harbour.test', password: 'harbour-demo' }
