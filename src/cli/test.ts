// `chartroom test`: writes a trace as a Vitest test, to be read, edited and committed.
import { basename, dirname, join, resolve } from 'node:path'
import {
  encodeFile,
  type ReplayableTrace,
  type ReplayReport,
  stageTimes,
  type SystemRegistry,
  verify,
  vitestTest,
  writeTest,
} from '../public/replay.ts'
import { oneLine, ownSystem } from '../trace/index.ts'
import { defineCommand, type ExitCode } from './command.ts'
import { loadMachines, MACHINES_FLAG } from './machines-file.ts'
import { needTrace } from './trace-files.ts'
import { checkNew, WRITE_FLAGS, writeNew } from './write-file.ts'
import { print, printData, printError } from './print.ts'

export const testCommand = defineCommand({
  usage: 'test FILE [flags]',
  text: `Writes a Vitest test that sends the events of a trace, simulates the effects, advances the time, and asserts
the states on the way. It uses \`chartroom/vitest\`; the code of effects does not run in it. With --out, a test of
more than 80 lines plays a copy of the trace next to it, and names what the app did and which states followed.

Exit code: 0 written, 1 written, but it will fail with the current machines, 2 failed.`,
  flags: {
    out: { type: 'string', value: 'FILE', about: 'Output file; default: standard output' },
    title: { type: 'string', value: 'TEXT', about: 'Title of the test' },
    only: {
      type: 'string',
      value: 'PATH',
      many: true,
      about: 'Assert states only of actors whose path contains this; repeatable',
    },
    ...MACHINES_FLAG,
    ...WRITE_FLAGS,
  },
  takes: [1, 1, 'file'],
  async run({ values: { out, title, only, machines, force }, names: [file = ''] }): Promise<ExitCode> {
    if (out !== undefined) await checkNew(out, force)
    const known = await loadMachines(machines)
    const trace = await needTrace(file, known)
    const systems = known.need(trace)
    const { times, problem } = stageTimes(trace, systems)
    const options = {
      system: known.importFor(trace, out) ?? ownSystem(trace.header.system),
      ...(title !== undefined && { title }),
      ...(only.length > 0 && { only }),
    }
    const isUntyped = out !== undefined && /\.[cm]?jsx?$/.test(out)
    if (out === undefined) {
      printData(vitestTest(trace, { ...options, times, isUntyped }))
      return passes(trace, systems, problem)
    }
    const copy = join(dirname(out), `${basename(out).replace(TEST_NAME, '')}.trace.gz`)
    const { text, playsRecording } = writeTest(trace, {
      ...options,
      times,
      isUntyped,
      recording: `./${basename(copy)}`,
    })
    if (playsRecording && resolve(copy) !== resolve(file))
      await writeNew(copy, await encodeFile(trace), force)
    await writeNew(out, text, force)
    print(`${out}\n`)
    return passes(trace, systems, playsRecording ? undefined : problem)
  },
})

const TEST_NAME = /(?:\.(?:test|spec))?\.[cm]?[jt]sx?$/

function passes(trace: ReplayableTrace, systems: SystemRegistry, problem: string | undefined): ExitCode {
  const report = verify(trace, systems)
  if (report.outcome === 'exact' && problem === undefined) return 0
  printError(`${oneLine(whyNot(report, problem))}\n`)
  return 1
}

function whyNot(report: ReplayReport, problem: string | undefined): string {
  switch (report.outcome) {
    case 'exact':
      return `The test will fail: ${problem}.`
    case 'unverified':
      return `The test may fail: ${report.reason}.`
    case 'unusable':
      return `The test will fail: ${report.reason}. Run \`chartroom replay\` for details.`
    case 'diverged':
      return 'The test will fail: the machines differ from the recorded ones. Run `chartroom replay` for details.'
  }
}
