// Clients for tests: recorded, checked against the invariants, and disposed of after each test.
import { afterEach } from 'vitest'
import { createChartroomClient, type ChartroomOptions, type RecordedClient } from '../../src/public/index.ts'
import { recordEverything } from '../../src/public/recording.ts'
import { memoryStorage } from '../../src/services/client/auth/session-store.ts'
import { fakeBackend, json, KEY, sessionBody, URL_BASE, type Answer } from './fake-backend.ts'
import { expectInvariants } from './expect-invariants.ts'

const clients: RecordedClient[] = []
afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.dispose()))
})

/** A client on any backend; the test fails if the client violates an invariant. */
export function watchedClient(options: ChartroomOptions): RecordedClient {
  const { recording = recordEverything() } = options
  const client = createChartroomClient({ ...options, recording })
  expectInvariants(client.recording.trace)
  clients.push(client)
  return client
}

/** A client on a simulated backend. */
export function startClient(
  routes: Readonly<Record<string, Answer>> = {},
  options: Partial<ChartroomOptions> = {},
) {
  const { fetch, requests } = fakeBackend(routes)
  const storage = options.storage ?? memoryStorage()
  const client = watchedClient({ url: URL_BASE, key: KEY, fetch, ...options, storage })
  return { client, requests, storage }
}

export const signIn = { 'POST /auth/v1/token?grant_type=password': () => json(sessionBody('first')) }
export const credentials = { email: 'skipper@harbour.test', password: 'harbour-demo' }
