// A soak: alternates load and failures, and checks after each failure that no acknowledged write is lost.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { Journal } from './journal.ts'
import { BUCKET, startLoad, type Tally } from './load.ts'
import { assessMemory, type MemoryAssessment } from './memory.ts'
import { Server } from './server.ts'

export interface SoakOptions {
  readonly seconds: number
  readonly seed: number
  readonly onProgress?: (line: string) => void
}

export interface SoakResult {
  readonly seconds: number
  readonly operations: ReadonlyMap<string, Tally>
  readonly accidents: Readonly<Record<Accident, number>>
  readonly acknowledged: number
  readonly lost: readonly string[]
  readonly problems: readonly string[]
  readonly memory: readonly MemoryAssessment[]
  readonly peakMegabytes: number
}

const ACCIDENTS = ['kill -9', 'full disk', 'endless recursion', 'faults'] as const
export type Accident = (typeof ACCIDENTS)[number]

/** How long each failure lasts, and the longest time of undisturbed load before the next. */
const ACCIDENT_MS = 2_000
const LONGEST_QUIET_MS = 25_000
const RECOVERY_MS = 60_000
const PAUSE_MS = 60

const wait = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

export async function soak({ seconds, seed, onProgress }: SoakOptions): Promise<SoakResult> {
  const dir = mkdtempSync(join(tmpdir(), 'chartroom-soak-'))
  const [server, journal] = [new Server(dir), new Journal()]
  const accidents: Record<Accident, number> = {
    'kill -9': 0,
    'full disk': 0,
    'endless recursion': 0,
    faults: 0,
  }
  const disturbance = { count: 0 }
  const problems: string[] = []
  const lost = new Set<string>()
  const random = createRandom(seed)
  try {
    await server.start()
    await prepare(server)
    const start = performance.now()
    const load = startLoad({ server, journal, disturbance }, PAUSE_MS)
    const quietMs = Math.min(LONGEST_QUIET_MS, (seconds * 1_000) / 8)
    let order: Accident[] = []
    while ((performance.now() - start) / 1_000 < seconds) {
      await wait(quietMs * (0.5 + random()))
      if (order.length === 0) order = shuffled(random)
      const accident = order.pop() ?? 'kill -9'
      disturbance.count += 1
      await ACCIDENT[accident](server)
      accidents[accident] += 1
      if (!(await recovers(server))) problems.push(`No recovery within 60 s after: ${accident}`)
      // Requests that started during the failure get their responses first.
      await wait(1_000)
      disturbance.count += 1
      onProgress?.(
        `${((performance.now() - start) / 1_000).toFixed(0)} s: ${accident}; ${journal.size} acknowledged`,
      )
    }
    await load.stop()
    for (const what of await journal.lost(server.client(), BUCKET)) lost.add(what)
    // After this, anything that was only in memory is lost.
    await server.kill()
    await server.start()
    for (const what of await journal.lost(server.client(), BUCKET)) lost.add(what)
    return {
      seconds: (performance.now() - start) / 1_000,
      operations: load.tallies,
      accidents,
      acknowledged: journal.size,
      lost: [...lost],
      problems,
      memory: assessMemory(server.memory),
      peakMegabytes: Math.round(Math.max(...server.memory.map(({ megabytes }) => megabytes))),
    }
  } finally {
    await server.kill()
    rmSync(dir, { recursive: true, force: true })
  }
}

const ACCIDENT: Readonly<Record<Accident, (server: Server) => Promise<void>>> = {
  async 'kill -9'(server) {
    await server.kill()
    await server.start()
  },
  async 'full disk'(server) {
    server.send('fillDisk')
    await wait(ACCIDENT_MS)
    server.send('freeDisk')
  },
  async 'endless recursion'(server) {
    await server.client().rpc('soak_recursion')
  },
  async faults(server) {
    server.send('addFaults')
    await wait(ACCIDENT_MS)
    server.send('clearFaults')
  },
}

async function prepare(server: Server): Promise<void> {
  const { error } = await server.client().storage.createBucket(BUCKET)
  if (error) throw error
  const sql = postgres(server.info.databaseUrl, { max: 1, onnotice: () => undefined })
  await sql.unsafe(RECURSION)
  await sql.end()
}

const RECURSION = `create function public.soak_recursion() returns int language plpgsql as
  $$ begin return 1 + public.soak_recursion(); end $$`

async function recovers(server: Server): Promise<boolean> {
  const end = performance.now() + RECOVERY_MS
  while (performance.now() < end) {
    if (await server.isHealthy()) return true
    await wait(100)
  }
  return false
}

function shuffled(random: () => number): Accident[] {
  return ACCIDENTS.map(accident => [random(), accident] as const)
    .sort(([a], [b]) => a - b)
    .map(([, accident]) => accident)
}

/** Mulberry32: the same seed gives the same failures in the same order. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
