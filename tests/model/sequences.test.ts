// Whatever events and port responses a machine gets: it passes its invariants, rests in calm, and leaves
// nothing behind.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AnyStateMachine } from 'xstate'
import { keep, keptSequences } from './kept.ts'
import { randomRunner, type Subject } from './random-run.ts'
import { sequences } from './sequences.ts'
import { subjects } from './subjects.ts'
import { firstSeed, volume } from '../harness/volume.ts'

const RUNS = volume(150, 10_000)

/** Searches for a failing sequence; the smallest one is stored as a trace file in `dir`. */
async function search(subject: Subject, numRuns: number, dir?: string): Promise<string> {
  const run = randomRunner(subject)
  const property = fc.property(sequences(subject.reported), sequence => {
    const wrong = run(sequence)
    if (wrong.length > 0) throw new Error(wrong.join('; '))
  })
  const { failed, counterexample, errorInstance, seed } = fc.check(property, { numRuns, seed: firstSeed })
  if (!failed || !counterexample) return 'held'
  const path = await keep(subject, counterexample[0], dir)
  return `${String(errorInstance)} (seed ${seed}), stored in ${path}`
}

describe('random sequences', () => {
  test.each(subjects)(`$id: ${RUNS} of them`, async subject => {
    expect(await search(subject, RUNS)).toBe('held')
  })
})

describe('a broken machine', () => {
  const session = subjects.find(({ id }) => id === 'session')
  const forgetful = (machine: AnyStateMachine) =>
    machine.provide({ actions: { settleSignOut: () => undefined } })

  test('is detected; the smallest sequence is stored, and can be replayed', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'chartroom-model-'))
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
    if (!session) throw new Error('There is no session among the subjects')
    const subject = { ...session, mutant: forgetful }
    expect(await search(subject, 500, dir)).toMatch(/settled 0 times.*stored in/)
    const [kept] = await keptSequences(dir)
    expect(kept?.sequence.steps.length).toBeLessThanOrEqual(2)
    expect(randomRunner(subject)(kept?.sequence ?? { steps: [], seed: 0 })).not.toEqual([])
    const replay = ['src/cli/main.ts', 'replay', join(dir, kept?.name ?? '')]
    // The machine is intact here, so the replay names where the broken one diverged.
    await expect(promisify(execFile)(process.execPath, replay)).rejects.toMatchObject({ code: 1 })
  })
})

describe('stored failures', async () => {
  test.each(await keptSequences())('$name does not fail again', ({ id, sequence }) => {
    const subject = subjects.find(one => one.id === id)
    expect(subject && randomRunner(subject)(sequence)).toEqual([])
  })
})
