// `chartroom test`: writes a trace as a Vitest test, to be read, edited and committed.
import { basename, dirname, join, resolve } from 'node:path'
import type { SystemRegistry } from '../public/devtools/recording.ts'
import {
  encodeFile,
  type ReplayableTrace,
  type ReplayReport,
  stageTimes,
  verify,
  vitestTest,
  writeTest,
} from '../public/devtools/replay.ts'
import { oneLine, ownSystem } from '../trace/index.ts'
import { defineCommand, type ExitCode } from './command.ts'
import { loadMachines, MACHINES_FLAG } from './machines-file.ts'
import { needTrace } from './trace-files.ts'
import { checkNew, WRITE_FLAGS, writeNew } from './write-file.ts'
import { print, printData, printError } from './print.ts'

export const testCommand = defineCommand({
  usage: 'test FILE [flags]',
  text: `Writes a Vitest test that sends the events of a trace, simulates the effects, advances the time, and asserts
the states on the way. It uses \`@chartroom/devtools/vitest\`; the code of effects does not run in it. With --out, a test of
more than 80 lines plays a copy of the trace next to it, and names what the app did and which states followed.

Exit code: 0 written, 1 written, but it will fail with the current machines, 2 failed.`,
  flags: {
    out: { type: 'string', value: 'FILE', about: 'Output file; default: standard output' },
    title: { type: 'string', value: 'TEXT', about: 'Title of the test' },
    only: {
      type: 'string',
      value: 'PATH',
      isRepeatable: true,
      about: 'Assert states only of actors whose path contains this; repeatable',
    },
    ...MACHINES_FLAG,
    ...WRITE_FLAGS,
  },
  takes: [1, 1, 'file'],
  async run({ values: { out, title, only, machines, force }, names: [file = ''] }): Promise<ExitCode> {
    if (out !== undefined) await checkNew(out, force)
    const loadedMachines = await loadMachines(machines)
    const trace = await needTrace(file, loadedMachines)
    const systems = loadedMachines.need(trace)
    const { times, problem } = stageTimes(trace, systems)
    const imported = loadedMachines.importFor(trace, out)
    const options = {
      system: imported ?? ownSystem(trace.header.system),
      ...(title !== undefined && { title }),
      ...(only.length > 0 && { only }),
    }
    const isUntyped = out !== undefined && /\.[cm]?jsx?$/.test(out)
    if (out === undefined) {
      printData(vitestTest(trace, { ...options, times, isUntyped }))
      noteOthers(imported?.variable, loadedMachines.alikeIn(trace))
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
    noteOthers(imported?.variable, loadedMachines.alikeIn(trace))
    return passes(trace, systems, playsRecording ? undefined : problem)
  },
})

const TEST_NAME = /(?:\.(?:test|spec))?\.[cm]?[jt]sx?$/

function noteOthers(used: string | undefined, otherSystems: readonly string[]): void {
  if (used === undefined || otherSystems.length === 0) return
  const [has, does, which] =
    otherSystems.length === 1 ? ['has', 'does', 'that'] : ['have', 'do', 'one of those']
  const names = otherSystems.map(name => `"${name}"`).join(', ')
  printError(
    `The test uses "${used}". ${names} ${has} the same id and ${does} the same; if the trace is about ${which}, change the import.\n`,
  )
}

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
