// For tests of client options: the official client and ours with the same options, and what each sends.
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { onTestFinished } from 'vitest'
import { type ChartroomOptions, createChartroomClient } from '../../src/public/index.ts'
import type { RealtimeOptions } from '../../src/services/client/options.ts'
import { KEY, URL_BASE } from './fake-backend.ts'
import { type Answer, fakeSockets, type FrameFormat } from './fake-socket.ts'

type Groups = Required<Pick<ChartroomOptions, 'db' | 'auth' | 'global' | 'realtime' | 'storage'>>
type Tracing = Extract<NonNullable<ChartroomOptions['tracePropagation']>, object>

/** Every option of `createClient` that works or is accepted here, from the types. */
export type OptionPath =
  | 'accessToken'
  | 'tracePropagation'
  | `tracePropagation.${keyof Tracing}`
  | { [Group in keyof Groups]: `${Group}.${keyof Groups[Group] & string}` }[keyof Groups]

/** What is tested of an option, by title. */
export type OptionTests = Readonly<Record<string, () => Promise<void>>>

export type Options = Omit<ChartroomOptions, 'url' | 'key'>
export type Use = (supabase: SupabaseClient) => PromiseLike<unknown>

/** The official client and ours with the same options. */
export function clients(options: Options, url = URL_BASE) {
  const client = createChartroomClient(url, KEY, options)
  onTestFinished(() => client.dispose())
  const official = createClient(url, KEY, { ...(options as object) })
  if (!options.accessToken) onTestFinished(() => official.auth.stopAutoRefresh())
  return { official, client, ours: client.supabase as SupabaseClient }
}

interface Exchange {
  /** The headers to report. */
  readonly headers?: readonly string[]
  readonly answer?: (request: Request) => Response | Promise<Response>
  readonly url?: string
}

type Sent = Record<string, string | null>

/** Runs the same code on both clients and returns the headers, addresses and bodies that each sent. */
export async function sentByBoth(options: Options, perform: Use, exchange: Exchange = {}) {
  const { headers: names = [], answer = () => Response.json([]), url } = exchange
  const requests: Sent[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const listed = names.map(name => [name, request.headers.get(name)] as const)
    const call = `${request.method} ${request.url}`
    requests.push({ call, body: await request.clone().text(), ...Object.fromEntries(listed) })
    return answer(request)
  }
  const { official, ours } = clients({ ...options, global: { ...options.global, fetch } }, url)
  const results = [await perform(official)]
  const byOfficial = requests.splice(0)
  results.push(await perform(ours))
  return { official: byOfficial, ours: requests, results }
}

export const rows: Use = supabase => supabase.from('vessels').select()

/** Subscribes to a channel; resolves with the first status, and reports all to `statuses`. */
export function join(supabase: SupabaseClient, statuses: string[] = []): Promise<string> {
  return new Promise(resolve => {
    supabase.channel('deck').subscribe(status => {
      statuses.push(status)
      resolve(status)
    })
  })
}

interface Line {
  readonly answer?: Answer
  readonly format?: FrameFormat
}

/** Subscribes to a channel with both clients; returns the socket and the first status of each. */
export async function joinedByBoth(realtime: RealtimeOptions, { answer, format }: Line = {}) {
  const { WebSocket, sockets, open } = fakeSockets(answer, format)
  const made = clients({ realtime: { transport: WebSocket, ...realtime } })
  onTestFinished(() => void made.official.removeAllChannels())
  const statuses: string[] = []
  const found = []
  for (const supabase of [made.official, made.ours]) {
    statuses.push(await join(supabase))
    const socket = sockets.at(-1)
    if (!socket) throw new Error('no socket was opened')
    found.push(socket)
  }
  const [official, ours] = found
  if (!official || official === ours || !ours) throw new Error('each client must open a socket')
  return { ...made, sockets: { official, ours }, statuses, open }
}
