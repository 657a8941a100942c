// The two compared clients with a backend in a separate process, and their alternation.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { createChartroomClient, type ChartroomClient } from '../../../src/public/index.ts'
import { median, type Measured } from '../contract.ts'
import { profileHere, type Side } from '../profile.ts'

export interface Pair {
  readonly ours: ChartroomClient
  readonly peer: SupabaseClient
}

export type Work = () => Promise<unknown>

/** Discarded samples: compilers and the backend need some hundred calls to warm up. */
const WARM_UP = 5

/**
 * Both clients are signed in to the same backend as the same user; ours is created by
 * `createChartroomClient`.
 */
export async function withPair<T>(work: (pair: Pair) => Promise<T>): Promise<T> {
  const server = fork(join(import.meta.dirname, 'server.ts'))
  try {
    const [{ url, publishableKey, account }] = (await once(server, 'message')) as [Sample]
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

interface Sample {
  readonly url: string
  readonly publishableKey: string
  readonly account: { readonly email: string; readonly password: string }
}

/**
 * The median time of each client per sample, in milliseconds. The clients alternate call by call and swap the
 * order every turn, so that a slow moment of the machine affects both.
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

const PROFILED = 3000

/** Profiles one client after the other; their calls would be hard to tell apart if they alternated. */
export async function profileBoth(ours: Work, peer: Work): Promise<readonly Side[]> {
  const sides: Side[] = []
  for (const [title, work] of [
    ['supabase-js', peer],
    ['Chartroom', ours],
  ] as const) {
    const calls = async () => {
      for (let call = 0; call < PROFILED; call += 1) await work()
    }
    await calls()
    sides.push({ title, calls: PROFILED, profile: await profileHere(calls) })
  }
  return sides
}
