// The matchers: their inputs, when they fail, and their messages.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMachine } from 'xstate'
import { assertion, never } from '../../src/public/devtools/assertions.ts'
import { record } from '../../src/public/devtools/recording.ts'
import '../../src/public/devtools/vitest.ts'
import { stormyRun } from '../harness/recorded-run.ts'

const lamp = createMachine({
  id: 'lamp',
  initial: 'dark',
  states: { dark: { on: { light: 'lit' } }, lit: { initial: 'low', states: { low: {}, high: {} } } },
})
const brokenLamp = createMachine({ id: 'lamp', initial: 'dark', states: { dark: {}, lit: {} } })

function run() {
  const recording = record(lamp)
  recording.actor.start()
  recording.actor.send({ type: 'light' })
  return recording
}

/** The message of a failing matcher. */
async function words(expectation: Promise<void>): Promise<string> {
  try {
    await expectation
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('It did not fail.')
}

describe('toReplay', () => {
  test('takes a recording, its trace, bytes, and a path', async () => {
    const recording = run()
    const folder = await mkdtemp(join(tmpdir(), 'chartroom-matchers-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'lamp.trace.gz')
    await writeFile(path, await recording.file())
    await expect(recording).toReplay(lamp)
    await expect(recording.trace).toReplay({ lamp })
    await expect(await recording.file()).toReplay(lamp)
    await expect(path).toReplay(lamp)
  })

  test('names the first difference, and the transition to blame', async () => {
    const message = await words(expect(run()).toReplay(brokenLamp))
    expect(message).toContain('does not replay exactly (diverged)')
    expect(message).toContain('recorded: lamp took light → {"lit":"low"}')
    await expect(run()).not.toReplay(brokenLamp)
  })

  test('an unknown system is reported as such', async () => {
    expect(await words(expect(run()).toReplay())).toMatch(
      /unknown system "lamp".*\nPass the recorded machine: toReplay\(machine\)\.$/,
    )
  })

  test.each([
    [42, 'Expected a trace: a recording, its trace, the bytes of a trace file, or its path.'],
    [new Uint8Array(), 'These bytes cannot be used: the file is empty.'],
    ['no/such.trace', 'no/such.trace cannot be read: Error: ENOENT'],
  ])('%s is rejected, also when negated', async (given, why) => {
    expect(await words(expect(given).toReplay())).toContain(why)
    expect(await words(expect(given).not.toReplay())).toContain(why)
  })
})

test('toSatisfy names the assertion and the record', async () => {
  const dark = assertion('stays dark', never({ event: 'light' }), 'the lamp is never lit')
  const message = await words(expect(run()).toSatisfy(dark))
  expect(message).toMatch(/^stays dark: lamp: .*takes light\.\n +occurred +#1 .*light → lit low$/)
  await expect(run()).not.toSatisfy(dark)
  await expect(run()).toSatisfy(assertion('never doused', never({ event: 'douse' })))
})

test("toSatisfy with a function is Vitest's own", () => {
  expect(5).toSatisfy((value: number) => value > 3)
  expect(() => expect(5).toSatisfy((value: number) => value > 7, 'too small')).toThrow('too small')
  expect(() => expect(5).not.toSatisfy((value: number) => value > 3)).toThrow('The value satisfies the test.')
})

test('toKeepInvariants checks a client against the invariants', async () => {
  await expect(stormyRun(3, 5).trace).toKeepInvariants()
})

test('toReach accepts any state on the path', async () => {
  await expect(run()).toReach('lamp', 'lit.low')
  await expect(run()).toReach('lamp', 'lit')
  expect(await words(expect(run()).toReach('lamp', 'lit.high'))).toBe(
    'lamp never reached lit.high.\nIt was in dark, lit.low.',
  )
  expect(await words(expect(run()).not.toReach('lamp', 'lit'))).toBe('lamp reached lit at step 1.')
})

test('unknown states, machines and options are rejected, also when negated', async () => {
  const [noState, noMachine] = [
    'lamp has no state lit.hihg; it has dark, lit, lit.low, lit.high.',
    'The trace has no machine lampe; it has lamp.',
  ]
  expect(await words(expect(run()).toReach('lamp', 'lit.hihg'))).toBe(noState)
  expect(await words(expect(run()).not.toReach('lamp', 'lit.hihg'))).toBe(noState)
  expect(await words(expect(run()).not.toReach('lampe', 'lit'))).toBe(noMachine)
  const misspelt: object = { staets: 100 }
  expect(await words(expect(run()).toCover(misspelt, lamp))).toBe(
    'toCover knows states, transitions, guards, not "staets".',
  )
})

test('toCover counts what was reached, also over several traces', async () => {
  await expect(run()).toCover({ states: 60, transitions: 100 }, lamp)
  await expect([run(), run()]).toCover({ states: 60 }, lamp)
  const message = await words(expect(run()).toCover({ states: 100 }, lamp))
  expect(message).toContain('required: 100 %.')
  expect(message).toContain('lamp was never in lit.high')
})
