// The text of a test that a tool writes. Its texts come from a recording, which anybody may have written.
import { invariants } from '../../public/devtools/assertions.ts'
import type { SystemRegistry } from '../../public/devtools/recording.ts'
import {
  encodeFile,
  type ReplayableTrace,
  stageTimes,
  verify,
  writeTest,
} from '../../public/devtools/replay.ts'
import { deriveSteps } from '../../public/devtools/replay.ts'
import { jsComment, jsString, literal, ownSystem, short, timeInWords } from '../../trace/index.ts'
import type { SystemImport } from '../machines-file.ts'
import type { Failure, ResolvedFailure } from './failure.ts'
import { stillFails } from './verdict.ts'

export interface TestResult {
  readonly text: string
  /** A copy of the recording that the test plays, if it does. */
  readonly copy?: Uint8Array
  /** Why the test will not behave as named. */
  readonly problem?: string
}

export interface TestRequest {
  /** `failing`: fails until the failure is fixed. `recorded`: asserts what was recorded. */
  readonly kind: 'failing' | 'recorded'
  readonly failure: Failure
  /** The file of the test, for its imports, and the name of the recording next to it. */
  readonly out: string
  readonly copyName: string
  readonly title: string | undefined
}

/** Inputs that are listed in a comment. */
const MAX_SHOWN = 40

/** A test that drives the recorded inputs through the current machines and fails until they no longer fail. */
export async function failingTest(
  trace: ReplayableTrace,
  systems: SystemRegistry,
  system: SystemImport | undefined,
  { assertions, pattern }: ResolvedFailure,
  { copyName, title }: TestRequest,
): Promise<TestResult> {
  const invariantNames = new Set<string>(invariants().map(({ name }) => name))
  const isInvariant = pattern === undefined && assertions.every(({ name }) => invariantNames.has(name))
  const recording = jsString(`./${copyName}`)
  const run = `await driveRecording(new URL(${recording}, import.meta.url)${system ? `, ${system.variable}` : ''})`
  const inputs = trace.stimuli.filter(({ anchor }) => !anchor)
  const name = title ?? `the recorded failure: ${assertions[0]?.name ?? ''}`
  const check = isInvariant
    ? [`  await expect(${run}).toKeepInvariants()`]
    : pattern === undefined
      ? [
          `  const expected = ${literal(assertions, 2)} as const`,
          `  await expect(${run}).toSatisfy(...expected)`,
        ]
      : [
          `  const failed = ${literal(pattern, 2)} as const`,
          `  await expect(${run}).toSatisfy(assertion('does not fail as recorded', never(failed)))`,
        ]
  const text = [
    jsComment(`Fails until the failure is fixed; ${copyName} has these inputs:`),
    ...inputs.slice(0, MAX_SHOWN).map(({ t, kind, to, event }) => {
      const path = trace.actors[to]?.path ?? `actor ${to}`
      return jsComment(`  ${timeInWords(t)}  ${kind} to ${path}: ${short(event, 70)}`)
    }),
    ...(inputs.length > MAX_SHOWN ? [jsComment(`  and ${inputs.length - MAX_SHOWN} more`)] : []),
    ...(isInvariant || pattern === undefined
      ? []
      : ["import { assertion, never } from '@chartroom/devtools/assertions'"]),
    "import { driveRecording } from '@chartroom/devtools/vitest'",
    "import { expect, test } from 'vitest'",
    ...(system ? [system.import] : []),
    '',
    `test(${jsString(name)}, async () => {`,
    ...check,
    '})',
    '',
  ].join('\n')
  const fails = stillFails(trace, systems, assertions)
  return {
    text,
    copy: await encodeFile(trace),
    ...(!fails && { problem: 'The failure does not occur with the code on disk: the test passes.' }),
  }
}

/** A test of what was recorded: it passes with machines that behave as recorded. */
export async function recordedTest(
  recorded: ReplayableTrace,
  systems: SystemRegistry,
  system: SystemImport | undefined,
  { copyName, title }: TestRequest,
): Promise<TestResult> {
  const derived = deriveSteps(recorded, systems)
  if (derived.kind === 'unusable') throw new Error(derived.message)
  const { trace } = derived
  const { times, problem } = stageTimes(trace, systems)
  const { text, playsRecording } = writeTest(trace, {
    system: system ?? ownSystem(trace.header.system),
    times,
    recording: `./${copyName}`,
    ...(title !== undefined && { title }),
  })
  const { outcome } = verify(trace, systems)
  const wrong =
    outcome === 'exact'
      ? playsRecording
        ? undefined
        : problem
      : 'the machines on disk differ from the recorded ones (see the tool "replay")'
  return {
    text,
    ...(playsRecording && { copy: await encodeFile(trace) }),
    ...(wrong !== undefined && { problem: `The test will fail: ${wrong}.` }),
  }
}
