// The two clients that are compared, on a backend in a process of its own, and how they take turns.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { createChartroomClient, type ChartroomClient } from '../../src/index.ts'
import { median, type Measured } from '../contract.ts'

export interface Pair {
  readonly ours: ChartroomClient
  readonly peer: SupabaseClient
}

export type Work = () => Promise<unknown>

/** Samples that are thrown away: compilers need some hundred calls, and so does the backend. */
const WARM_UP = 5

/** Both signed in to the same backend as the same user; our client is as `createChartroomClient` makes it. */
export async function withPair<T>(work: (pair: Pair) => Promise<T>): Promise<T> {
  const server = fork(join(import.meta.dirname, 'server.ts'))
  try {
    const [{ url, publishableKey, account }] = (await once(server, 'message')) as [Told]
    const peer = createClient(url, publishableKey, { auth: { persistSession: false } })
    const { error } = await peer.auth.signInWithPassword(account)
    if (error) throw error
    const ours = createChartroomClient({ url, key: publishableKey })
    const result = await ours.auth.signInWithPassword(account)
    if (!result.ok) throw new Error(result.failure.message)
    try {
      return await work({ ours, peer })
    } finally {
      await ours.dispose()
      await peer.removeAllChannels()
      await peer.auth.dispose()
    }
  } finally {
    server.disconnect()
  }
}

interface Told {
  readonly url: string
  readonly publishableKey: string
  readonly account: { readonly email: string; readonly password: string }
}

/**
 * The median time in milliseconds of each, for each sample. They take turns call by call, and who goes first
 * changes with each turn, so that a slow moment of the machine falls on both.
 */
export async function takeTurns(samples: number, turns: number, ours: Work, peer: Work): Promise<Measured> {
  const sample = async () => {
    const times = { ours: [] as number[], peer: [] as number[] }
    for (let turn = 0; turn < turns; turn += 1) {
      for (const which of turn % 2 === 0 ? (['ours', 'peer'] as const) : (['peer', 'ours'] as const)) {
        const started = performance.now()
        await (which === 'ours' ? ours : peer)()
        times[which].push(performance.now() - started)
      }
    }
    return { ours: median(times.ours), peer: median(times.peer) }
  }
  for (let round = 0; round < WARM_UP; round += 1) await sample()
  const taken: Awaited<ReturnType<typeof sample>>[] = []
  for (let round = 0; round < samples; round += 1) taken.push(await sample())
  return { ours: taken.map(each => each.ours), peer: taken.map(each => each.peer) }
}
