// Measures startup time, with a new data folder and with an existing one, under the flags of `npm start`.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { NODE_FLAGS } from '../../../scripts/node-flags.ts'
import type { Benchmark } from '../contract.ts'

const run = promisify(execFile)
const PEER = 'PGlite alone'

export const bootCold: Benchmark = {
  name: 'backend-boot-cold',
  unit: 'ms',
  peer: `${PEER}, with a new folder`,
  measure: samples =>
    inFolder(async root => {
      // The snapshot normally exists since the installation; if not, this first start creates it and is not
      // measured.
      await boot('ours', join(root, 'first'))
      return takeTurns(samples, (which, turn) => boot(which, join(root, `${which}-${turn}`)))
    }),
}

export const bootWarm: Benchmark = {
  name: 'backend-boot-warm',
  unit: 'ms',
  peer: `${PEER}, with an existing folder`,
  measure: samples =>
    inFolder(async root => {
      for (const which of ['ours', 'peer'] as const) await boot(which, join(root, which))
      return takeTurns(samples, which => boot(which, join(root, which)))
    }),
}

type Which = 'ours' | 'peer'

/** Alternates between the two, so that a slow moment of the machine affects both. */
async function takeTurns(samples: number, measure: (which: Which, turn: number) => Promise<number>) {
  const ours: number[] = []
  const peer: number[] = []
  for (let turn = 0; turn < samples; turn += 1) {
    ours.push(await measure('ours', turn))
    peer.push(await measure('peer', turn))
  }
  return { ours, peer }
}

async function boot(which: Which, dir: string): Promise<number> {
  mkdirSync(dir, { recursive: true })
  // Node flags of this process also apply to the measured process.
  const args = [...process.execArgv, ...NODE_FLAGS, join(import.meta.dirname, `${which}.ts`), dir]
  const { stdout } = await run(process.execPath, args)
  const milliseconds = Number(stdout.trim().split('\n').at(-1))
  if (Number.isFinite(milliseconds)) return milliseconds
  throw new Error(`The start of ${which} reported no time: ${stdout}`)
}

/** In the project, as the data folder of `npm start`: a full temporary folder can be ten times slower. */
const PLACE = join(import.meta.dirname, '../../../node_modules/.cache')

async function inFolder<T>(work: (root: string) => Promise<T>): Promise<T> {
  mkdirSync(PLACE, { recursive: true })
  const root = mkdtempSync(join(PLACE, 'bench-'))
  try {
    return await work(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
