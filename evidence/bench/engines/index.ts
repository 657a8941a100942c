// Measures REST requests per second with 200 clients, on a PostgreSQL server and on PGlite.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import * as v from 'valibot'
import type { Benchmark } from '../contract.ts'

const CLIENTS = 200
const WARM_UP_MS = 2_000
const MEASURED_MS = 5_000

export const restThroughput: Benchmark = {
  name: 'rest-throughput',
  unit: 'requests/s',
  peer: 'PGlite, the default engine',
  async measure(samples) {
    const [ours, peer]: [number[], number[]] = [[], []]
    for (let turn = 0; turn < samples; turn += 1) {
      ours.push(await throughput('postgres'))
      peer.push(await throughput('pglite'))
    }
    return { ours, peer }
  },
}

const readySchema = v.object({
  url: v.string(),
  publishableKey: v.string(),
  account: v.object({ email: v.string(), password: v.string() }),
})

async function throughput(engine: 'pglite' | 'postgres'): Promise<number> {
  const server = fork(join(import.meta.dirname, 'server.ts'), [engine])
  // A channel that breaks when the process ends has no effect on what was measured.
  server.on('error', () => undefined)
  try {
    const messages: readonly unknown[] = await once(server, 'message')
    const { url, publishableKey, account } = v.parse(readySchema, messages[0])
    const client = createClient(url, publishableKey, { auth: { autoRefreshToken: false } })
    const { data, error } = await client.auth.signInWithPassword(account)
    if (error) throw error
    return await load(url, { apikey: publishableKey, authorization: `Bearer ${data.session.access_token}` })
  } finally {
    if (server.connected) server.disconnect()
    if (server.exitCode === null) await once(server, 'exit')
  }
}

/** Of ten requests, six read a list, two embed, and two write. */
async function load(url: string, headers: Record<string, string>): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const [start, end] = [performance.now() + WARM_UP_MS, performance.now() + WARM_UP_MS + MEASURED_MS]
  let count = 0
  const ask = async (turn: number) => {
    const [path, body] =
      turn % 10 < 6
        ? ['vessels?select=id,name,rig&order=id&limit=20']
        : turn % 10 < 8
          ? ['vessels?select=id,name,voyages(id)&limit=20']
          : ['log_entries', JSON.stringify({ note: `Entry ${turn}` })]
    await send(agent, `${url}/rest/v1/${path}`, headers, body)
    if (performance.now() >= start) count += 1
  }
  const client = async (_: unknown, at: number) => {
    for (let turn = at; performance.now() < end; turn += 1) await ask(turn)
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  agent.destroy()
  return count / ((performance.now() - start) / 1_000)
}

function send(agent: Agent, url: string, headers: Record<string, string>, body?: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const method = body === undefined ? 'GET' : 'POST'
  const sent = request(url, { agent, method, headers: { ...headers, ...json } }, response => {
    const { statusCode = 0 } = response
    if (statusCode >= 400) reject(new Error(`${method} ${url} was answered with ${statusCode}.`))
    response.resume().once('end', () => resolve())
  })
  sent.once('error', error => {
    // The server may close a connection at the moment at which it is used again.
    if (sent.reusedSocket) resolve(send(agent, url, headers, body))
    else reject(error)
  })
  sent.end(body)
  return promise
}
