// Each machine keeps what its specification says: every event is handled or ignored for a reason, every state can be
// reached and left, and whatever events and responses it gets, it comes to rest and leaves nothing behind.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AnyStateMachine } from 'xstate'
import type { Spec } from '../../src/machines/index.ts'
import { type MachineId, specs } from '../../src/machines/specs.ts'
import { checkPairs, explore, lintMachine, randomRuns, replayRun } from '../../src/public/devtools/testing.ts'
import type { Change } from '../../src/testing/spec/random-run.ts'
import { firstSeed, volume } from '../harness/volume.ts'
import { keep, keptSequences } from './kept.ts'

const RUNS = volume(150, 10_000)

describe.each(Object.entries<Spec>(specs) as [MachineId, Spec][])('%s', (id, spec) => {
  test('handles each event in each state, or ignores it for a reason', () => {
    expect(checkPairs(spec)).toEqual({ unexplained: [], stale: [] })
  })

  test('names its parts, and has no transition that is never tried', () => {
    expect(lintMachine(spec.machine)).toEqual([])
  })

  test('reaches every state, and has no dead end', () => {
    expect(explore(spec)).toMatchObject({ unreachable: [], deadEnds: [] })
  })

  test(
    `keeps its promises in ${RUNS} random runs`,
    async () => {
      expect(await search(id, RUNS)).toBe('passed')
    },
    volume(240_000, 1_200_000),
  )
})

/** Searches for a failing sequence; the smallest one is stored as a trace file in `dir`. */
async function search(id: MachineId, runs: number, change?: Change, dir?: string): Promise<string> {
  const result = await randomRuns(specs[id], { runs, seed: firstSeed, ...(change && { change }) })
  if (result.outcome === 'passed') return 'passed'
  const path = await keep(id, result.sequence, change, dir)
  return `${result.findings.join('; ')} (seed ${result.seed}), stored in ${path}`
}

describe('a broken machine', () => {
  const forgetful = (machine: AnyStateMachine) =>
    machine.provide({ actions: { settleSignOut: () => undefined } })

  test('is detected; the smallest sequence is stored, and can be replayed', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'chartroom-model-'))
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
    expect(await search('session', 500, forgetful, dir)).toMatch(/settled 0 times.*stored in/)
    const [kept] = await keptSequences(dir)
    expect(kept?.sequence.steps.length).toBeLessThanOrEqual(2)
    const replay = ['src/cli/main.ts', 'replay', join(dir, kept?.name ?? '')]
    // The machine is intact here, so the replay names where the broken one diverged.
    await expect(promisify(execFile)(process.execPath, replay)).rejects.toMatchObject({ code: 1 })
  })
})

describe('stored failures', async () => {
  test.each(await keptSequences())('$name does not fail again', ({ id, sequence }) => {
    expect(replayRun(specs[id], sequence)).toEqual([])
  })
})
