// Measures the cost of machines and recording: a request and a realtime message, compared to bare
// supabase-js.
import type { SupabaseClient } from '@supabase/supabase-js'
import type { ChartroomClient } from '../../../src/public/index.ts'
import type { Benchmark } from '../contract.ts'
import { profileBoth, takeTurns, withPair, type Work } from './pairs.ts'

const PEER = 'bare supabase-js'
const TURNS = 200

export const requestOverhead: Benchmark = {
  name: 'request-overhead',
  unit: 'ms',
  peer: `${PEER}, one row of a table`,
  measure: samples =>
    withPair(({ ours, peer }) => takeTurns(samples, TURNS, read(ours.supabase), read(peer))),
  profile: () => withPair(({ ours, peer }) => profileBoth(read(ours.supabase), read(peer))),
}

export const realtimeOverhead: Benchmark = {
  name: 'realtime-overhead',
  unit: 'ms',
  peer: `${PEER}, a broadcast round trip`,
  measure: samples =>
    withPair(async ({ ours, peer }) =>
      takeTurns(samples, TURNS, await echoOfOurs(ours), await echoOfPeer(peer)),
    ),
  profile: () =>
    withPair(async ({ ours, peer }) => profileBoth(await echoOfOurs(ours), await echoOfPeer(peer))),
}

function read(client: Pick<SupabaseClient, 'from'>): Work {
  return async () => {
    const { error } = await client.from('vessels').select('id').limit(1)
    if (error) throw error
  }
}

const CONFIG = { self: true, ack: false }

/** Resolves with the echo; each has a unique name, so that none is confused with another. */
function echo(send: (n: number) => unknown) {
  let count = 0
  let onReply: (n: unknown) => void = () => undefined
  const work: Work = () =>
    new Promise<void>(resolve => {
      count += 1
      const wanted = count
      onReply = n => n === wanted && resolve()
      void send(wanted)
    })
  return { work, onReply: (payload: unknown) => onReply((payload as { n?: unknown }).n) }
}

async function echoOfOurs(client: ChartroomClient): Promise<Work> {
  const channel = client.channel('ours', { broadcast: CONFIG })
  const { work, onReply } = echo(n => channel.send('ping', { n }))
  channel.on('broadcast', ({ payload }) => onReply(payload))
  await new Promise<void>(resolve => {
    channel.on('status', ({ phase }) => phase === 'joined' && resolve())
  })
  return work
}

async function echoOfPeer(client: SupabaseClient): Promise<Work> {
  const channel = client.channel('peer', { config: { broadcast: CONFIG } })
  const { work, onReply } = echo(n => channel.send({ type: 'broadcast', event: 'ping', payload: { n } }))
  channel.on('broadcast', { event: 'ping' }, ({ payload }) => onReply(payload))
  await new Promise<void>(resolve => {
    channel.subscribe((status: string) => status === 'SUBSCRIBED' && resolve())
  })
  return work
}
