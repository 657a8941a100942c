// Serves only the auth server at the root of a port without an API key, like the container that auth-js's
// other suite expects.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { startBackend, type BackendOptions } from '../../backend/index.ts'

type AuthOptions = NonNullable<BackendOptions['auth']>

/** The four servers of auth-js's infra/docker-compose.yml, by port. */
const SERVERS: Readonly<Record<number, AuthOptions>> = {
  9996: {},
  9997: { enableSignup: false },
  9998: { sms: { enableSignup: true, enableConfirmations: false } },
  9999: {
    enableAnonymousSignIns: false,
    email: { enableConfirmations: true },
    sms: { enableSignup: true, enableConfirmations: true },
  },
}

/** Runs the servers while `work` runs. */
export async function withRootMounts<T>(work: () => Promise<T>): Promise<T> {
  const mounts = await Promise.all(Object.entries(SERVERS).map(([port, auth]) => mount(Number(port), auth)))
  try {
    return await work()
  } finally {
    await Promise.all(mounts.map(stop => stop()))
  }
}

async function mount(port: number, auth: AuthOptions): Promise<() => Promise<void>> {
  const backend = await startBackend({ data: 'memory', auth })
  const server = createServer((request, response) => void pass(backend, request, response))
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return async () => {
    server.closeAllConnections()
    server.close()
    await backend.stop()
  }
}

async function pass(
  backend: { readonly url: string; readonly publishableKey: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const sent = await buffer(request)
  const headers = new Headers()
  for (const name of ['authorization', 'content-type', 'x-supabase-api-version']) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  headers.set('apikey', backend.publishableKey)
  const answer = await fetch(`${backend.url}/auth/v1${request.url}`, {
    method: request.method ?? 'GET',
    headers,
    redirect: 'manual',
    ...(sent.length > 0 ? { body: sent } : {}),
  })
  const body = Buffer.from(await answer.arrayBuffer())
  response.writeHead(answer.status, {
    'content-type': answer.headers.get('content-type') ?? 'application/json',
  })
  response.end(body)
}
