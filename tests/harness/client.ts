// A client over a made-up backend, disposed of after each test.
import { afterEach } from 'vitest'
import { createChartroomClient, type ChartroomClient, type ChartroomOptions } from '../../src/index.ts'
import { recordEverything } from '../../src/recording.ts'
import { memoryStorage } from '../../src/services/session-store.ts'
import { fakeBackend, json, KEY, sessionBody, URL_BASE, type Answer } from './fake-backend.ts'
import { mustHold } from './must-hold.ts'

const clients: ChartroomClient[] = []
afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.dispose()))
})

export function startClient(
  routes: Readonly<Record<string, Answer>> = {},
  options: Partial<ChartroomOptions> = {},
) {
  const { fetch, asked } = fakeBackend(routes)
  const storage = options.storage ?? memoryStorage()
  const recording = options.recording ?? recordEverything()
  const client = createChartroomClient({ url: URL_BASE, key: KEY, fetch, storage, ...options, recording })
  if (client.recording) mustHold(client.recording.trace)
  clients.push(client)
  return { client, asked, storage }
}

export const signIn = { 'POST /auth/v1/token?grant_type=password': () => json(sessionBody('first')) }
export const credentials = { email: 'skipper@harbour.test', password: 'harbour-demo' }
