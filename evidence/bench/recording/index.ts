// Measures the cost of permanent recording, and replay speed, compared to the same system alone.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { median, type Benchmark, type Measured } from '../contract.ts'
import { profileOf, type Side } from '../profile.ts'
import { fleetWorkload } from './fleet.ts'
import { shopWorkload } from './shop.ts'

const run = promisify(execFile)
const SCRIPT = join(import.meta.dirname, 'run.ts')
/** Events of one process, warm-up included. */
const ALL_EVENTS = 110_000
const RING = 'in a ring of 100,000 stimuli'
const BARE = 'the same system unrecorded'
const INSPECTOR = 'the same system with @statelyai/inspect and an adapter that drops'

type Mode = 'bare' | 'inspected' | 'recorded' | 'viewed' | 'replayed'
type Work = 'machine' | 'system'

/** Processor time per event in microseconds, and memory per record in bytes. */
interface Told {
  readonly event: number
  readonly record: number
}

/** By mode, one entry per sample. */
type Taken = Readonly<Record<Mode, readonly Told[]>>

const WORDS = { machine: shopWorkload.words, system: fleetWorkload.words }

export const recordMachine = recording('record-machine', 'machine', BARE, 'bare')
export const recordMachineSteps = recording('record-machine-steps', 'machine', BARE, 'bare', 'viewed')
export const recordMachineInspect = recording('record-machine-inspect', 'machine', INSPECTOR, 'inspected')
export const recordSystem = recording('record-system', 'system', BARE, 'bare')
export const recordSystemSteps = recording('record-system-steps', 'system', BARE, 'bare', 'viewed')
export const recordSystemInspect = recording('record-system-inspect', 'system', INSPECTOR, 'inspected')
export const replayRate = replaying('replay-rate', 'system')
export const replayRateMachine = replaying('replay-rate-machine', 'machine')

/** `ours` is recorded without steps by default: a replay derives them. */
function recording(name: string, work: Work, peer: string, mode: Mode, ours: Mode = 'recorded'): Benchmark {
  return {
    name,
    unit: 'µs',
    peer,
    measure: async samples => {
      const taken = await takeOnce(work, samples)
      return { ours: times(taken[ours]), peer: times(taken[mode]) }
    },
    profile: () => profileModes(work, ours, mode),
  }
}

function replaying(name: string, work: Work): Benchmark {
  const rates = (measured: readonly Told[]) => times(measured).map(time => 1e6 / time)
  return {
    name,
    unit: 'events/s',
    peer: BARE,
    measure: async (samples): Promise<Measured> => {
      const { replayed, bare } = await takeOnce(work, samples)
      return { ours: rates(replayed), peer: rates(bare) }
    },
    profile: () => profileModes(work, 'replayed'),
  }
}

function times(measured: readonly Told[]): number[] {
  return measured.map(({ event }) => event)
}

const known = new Map<string, Promise<Taken>>()

/** All modes alternate, so that they are measured in the same run. */
function takeOnce(work: Work, samples: number): Promise<Taken> {
  const key = `${work} ${samples}`
  const taken = known.get(key) ?? take(work, samples)
  known.set(key, taken)
  return taken
}

async function take(work: Work, samples: number): Promise<Taken> {
  const taken = { bare: [], inspected: [], recorded: [], viewed: [], replayed: [] } satisfies Record<
    Mode,
    Told[]
  > as Record<Mode, Told[]>
  const modes: readonly Mode[] = ['bare', 'recorded', 'viewed', 'inspected', 'replayed']
  for (let sample = 0; sample < samples; sample++) {
    for (const mode of sample % 2 === 0 ? modes : modes.toReversed())
      taken[mode].push(await measure(mode, work))
  }
  const bytes = (mode: Mode) => Math.round(median(taken[mode].map(({ record }) => record)))
  console.error(
    `${work}: ${WORDS[work]}; recorded ${RING}: ${bytes('recorded')} bytes of memory a stimulus, ` +
      `with every step ${bytes('viewed')} a record`,
  )
  return taken
}

/** Runs in a separate process, so that compiler and collector state of one mode does not affect another. */
async function measure(mode: Mode, work: Work): Promise<Told> {
  const { stdout } = await run(process.execPath, [SCRIPT, mode, work])
  return JSON.parse(stdout) as Told
}

/** Per event, from the start of the process to its end. */
async function profileModes(work: Work, ours: Mode, peer: Mode = 'bare'): Promise<readonly Side[]> {
  const side = async (mode: Mode) => ({
    title: mode,
    calls: ALL_EVENTS,
    profile: await profileOf(SCRIPT, mode, work),
  })
  return [await side(peer), await side(ours)]
}
