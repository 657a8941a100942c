// The network of a world: late, lossy or down depending on the weather, also after the server has done its
// work.
import type { TabClock, WorldClock } from './world-clock.ts'
import type { WorldResponse, WorldCall, WorldServer } from './world-server.ts'

/** Probabilities in [0, 1] of each mishap, and the maximum round-trip time in milliseconds. */
export interface NetworkConditions {
  readonly latency: number
  /** The request never reaches the server. */
  readonly lost: number
  /** The server does its work, and the response never arrives. */
  readonly answerLost: number
  /** There is never a response. */
  readonly silent: number
  readonly unavailable: number
  readonly tooMany: number
  /** A request for rows is rejected in spite of its token. */
  readonly refused: number
  /** A topic may not be joined, or its row changes are unavailable. */
  readonly notJoined: number
}

export const FAIR: NetworkConditions = {
  latency: 60,
  lost: 0,
  answerLost: 0,
  silent: 0,
  unavailable: 0,
  tooMany: 0,
  refused: 0,
  notJoined: 0,
}

export interface Network {
  conditions: NetworkConditions
  isOnline: boolean
  /** The `fetch` of a tab. */
  fetchOf(tab: TabClock): { readonly fetch: typeof globalThis.fetch; inFlight(): number }
}

export function createNetwork(world: WorldClock, server: WorldServer, random: () => number): Network {
  const network: Network = {
    conditions: FAIR,
    isOnline: true,
    fetchOf(tab) {
      const flying = new Set<object>()
      const fetch = (input: Parameters<typeof globalThis.fetch>[0], init: RequestInit = {}) =>
        new Promise<Response>((resolve, reject) => {
          const { signal } = init
          const flight = {}
          const end = (run: () => void) => {
            if (!flying.delete(flight)) return
            signal?.removeEventListener('abort', abort)
            run()
          }
          const abort = () => end(() => reject(signal?.reason as Error))
          if (signal?.aborted) return reject(signal.reason as Error)
          flying.add(flight)
          signal?.addEventListener('abort', abort)
          const fail = () => end(() => reject(new TypeError('Failed to fetch')))
          const deliver = (answer: WorldResponse) => end(() => resolve(toResponse(answer)))
          send(input instanceof Request ? input.url : String(input), init, { fail, deliver })
        })
      const send = (url: string, init: RequestInit, { fail, deliver }: Ends) => {
        const { conditions, isOnline } = network
        const way = 1 + Math.floor((random() * conditions.latency) / 2)
        if (!isOnline || random() < conditions.lost) return tab.arrive(fail, way)
        if (random() < conditions.silent) return
        const path = url.slice(url.indexOf('/', 'https://'.length))
        const mishap = mishapOf(conditions, path.startsWith('/rest/'), random)
        const isAnswerLost = random() < conditions.answerLost
        const call = callOf(path, init, tab)
        world.setTimeout(() => {
          const answer = mishap ?? server.answer(call)
          tab.arrive(() => (isAnswerLost || !network.isOnline ? fail() : deliver(answer)), way)
        }, way)
      }
      return { fetch: fetch as typeof globalThis.fetch, inFlight: () => flying.size }
    },
  }
  return network
}

interface Ends {
  readonly fail: () => void
  readonly deliver: (answer: WorldResponse) => void
}

function mishapOf(
  conditions: NetworkConditions,
  isRows: boolean,
  random: () => number,
): WorldResponse | undefined {
  const roll = random()
  if (roll < conditions.unavailable)
    return { status: random() < 0.5 ? 503 : 500, body: { message: 'unavailable' } }
  if (roll < conditions.unavailable + conditions.tooMany) {
    const headers = { 'retry-after': String(1 + Math.floor(random() * 20)) }
    return { status: 429, body: { error_code: 'over_request_rate_limit', msg: 'Too many requests' }, headers }
  }
  return isRows && random() < conditions.refused
    ? { status: 401, body: { message: 'JWT invalid' } }
    : undefined
}

function callOf(path: string, { method = 'GET', headers, body }: RequestInit, tab: TabClock): WorldCall {
  const bearer = new Headers(headers).get('authorization')?.replace(/^Bearer /, '') ?? ''
  const sender = { wall: tab.wall().getTime(), since: tab.since() }
  return { method, path, bearer, body: typeof body === 'string' ? body : '', ...sender }
}

function toResponse({ status, body, headers = {} }: WorldResponse): Response {
  const text = body === null ? null : JSON.stringify(body)
  return new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } })
}
