// `chartroom reports test`: writes a report as a Vitest test that fails until the failure is fixed.
import type { Report } from '../../services/reports/rows.ts'
import { headline } from '../../services/reports/words.ts'
import { basename, dirname, join } from 'node:path'
import { failureOf, type ShownFailure } from '../../services/reports/judge.ts'
import { jsComment, jsString, literal, oneLine, short, timeInWords } from '../../trace/index.ts'
import type { Assertion } from '../../public/devtools/assertions.ts'
import type { SystemRegistry } from '../../public/devtools/recording.ts'
import {
  breaks,
  encodeFile,
  minimize,
  readTrace,
  type ReplayableTrace,
} from '../../public/devtools/replay.ts'
import { defineCommand, type ExitCode, UsageError } from '../command.ts'
import { loadMachines, MACHINES_FLAG, type SystemImport } from '../machines-file.ts'
import { print, startProgress } from '../print.ts'
import { checkNew, WRITE_FLAGS, writeNew } from '../write-file.ts'
import { needReport } from './get.ts'
import { HOST_FLAGS, ReportsHost } from './host.ts'

export const testCommand = defineCommand({
  usage: 'reports test ID --out FILE [flags]',
  text: `Minimizes the recording of a report to the inputs that the failure needs, and writes it next to a Vitest test
that runs the current machines with them. The test fails until the failure is fixed.

Exit code: 0 written, 1 written, but the failure does not occur with these machines, 2 failed.`,
  flags: {
    ...HOST_FLAGS,
    out: { type: 'string', value: 'FILE', about: 'Output file, e.g. tests/report-3f2a.test.ts' },
    ...MACHINES_FLAG,
    ...WRITE_FLAGS,
  },
  takes: [1, 1, 'report id'],
  async run({ values: { url, out, machines, force }, names: [id = ''] }): Promise<ExitCode> {
    if (out === undefined) throw new UsageError('--out is missing. Name the file of the test.')
    const copy = join(dirname(out), `${basename(out).replace(TEST_NAME, '')}.trace.gz`)
    for (const file of [out, copy]) await checkNew(file, force)
    const host = new ReportsHost(url)
    const report = await needReport(host, id)
    const loadedMachines = await loadMachines(machines)
    const read = await readTrace(await host.trace(report))
    if (read.kind === 'unusable')
      throw new Error(`The recording of report ${id} can't be used: ${read.message}`)
    const systems = loadedMachines.need(read.trace)
    const failure = failureOf({ kind: report.cause, fingerprint: report.fingerprint }, read.trace, systems)
    if ('noTest' in failure)
      throw new Error(
        `No test can be made of report ${report.id}. ${failure.noTest} Download it with \`chartroom reports get ${report.id}\` and open it in the console.`,
      )
    const { trace, fails } = await smallest(read.trace, systems, failure.assertion)
    await writeNew(copy, await encodeFile(trace), force)
    const system = loadedMachines.importFor(read.trace, out)
    await writeNew(out, testOf(report, trace, { failure, recording: `./${basename(copy)}`, system }), force)
    print(`${out}\n${copy}\n`)
    if (!fails) print(`${oneLine(failure.assertion.name)} holds with these machines: the test passes.\n`)
    return fails ? 0 : 1
  },
})

const TEST_NAME = /(?:\.(?:test|spec))?\.[cm]?[jt]sx?$/

/** The inputs that the failure needs; all of them if it does not occur. */
async function smallest(trace: ReplayableTrace, systems: SystemRegistry, failure: Assertion) {
  const progress = startProgress('Minimizing', 'inputs left')
  const onProgress = ({ left }: { readonly left: number }) => progress.at(left)
  const result = await minimize(trace, systems, breaks(failure), { onProgress })
  progress.end()
  if (result.outcome === 'unusable') throw new Error(`The recording can't be used: ${result.reason}`)
  return result.outcome === 'minimized' ? { trace: result.trace, fails: true } : { trace, fails: false }
}

/** Inputs that are listed in a comment. */
const MAX_SHOWN = 40

interface TestParts {
  readonly failure: Pick<ShownFailure, 'pattern'>
  /** Where the inputs are, relative to the test. */
  readonly recording: string
  readonly system: Pick<SystemImport, 'import' | 'variable'> | undefined
}

/** The name of the assertion, by the cause of the report. */
const NAMES = {
  error: 'ends without an error',
  signedOut: 'stays signed in',
  user: 'does not end with the reported problem',
  invariant: 'keeps its invariants',
} as const

/** The test file. Its texts come from a report, which anybody may have written. */
export function testOf(
  report: Report,
  trace: ReplayableTrace,
  { failure, recording, system }: TestParts,
): string {
  const inputs = trace.stimuli.filter(({ anchor }) => !anchor)
  const shownInputs = inputs.slice(0, MAX_SHOWN).map(({ t, kind, to, event }) => {
    const path = trace.actors[to]?.path ?? `actor ${to}`
    return jsComment(`  ${timeInWords(t)}  ${kind} to ${path}: ${short(event, 70)}`)
  })
  const moreLine = inputs.length > MAX_SHOWN ? [jsComment(`  and ${inputs.length - MAX_SHOWN} more`)] : []
  const run = `await driveRecording(new URL(${jsString(recording)}, import.meta.url)${system ? `, ${system.variable}` : ''})`
  const { pattern } = failure
  const isInvariant = pattern === undefined
  const check = isInvariant
    ? `  await expect(${run}).toKeepInvariants()`
    : `  const failed = ${literal(pattern, 2)} as const
  await expect(${run}).toSatisfy(assertion(${jsString(NAMES[report.cause])}, never(failed)))`
  const version = report.app_version.slice(0, 100) || '(unknown)'
  return [
    jsComment(`Report ${report.id}: ${headline(report).title}`),
    jsComment(
      `From version ${version}, ${report.happened_at.slice(0, 10)}. Fails until that is fixed; ${recording} has these inputs:`,
    ),
    ...shownInputs,
    ...moreLine,
    ...(isInvariant ? [] : ["import { assertion, never } from '@chartroom/devtools/assertions'"]),
    "import { driveRecording } from '@chartroom/devtools/vitest'",
    "import { expect, test } from 'vitest'",
    ...(system ? [system.import] : []),
    '',
    `test(${jsString(`report ${report.id.slice(0, 8)}: ${headline(report).title}`)}, async () => {`,
    check,
    '})',
    '',
  ].join('\n')
}
