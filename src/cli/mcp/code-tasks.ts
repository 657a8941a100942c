// The work that runs machines of the code on disk, in a new process for each call: see `code-process.ts`.
import {
  breaks,
  coverage,
  type CoverageReport,
  deriveSteps,
  encodeFile,
  makeDrive,
  minimize,
  readTrace,
  type ReplayableTrace,
} from '../../public/devtools/replay.ts'
import { examineReport, type Verdict } from '../../services/reports/judge.ts'
import type { Finding } from '../file-report.ts'
import { loadMachines, type Machines } from '../machines-file.ts'
import { replayExamination } from '../replay-finding.ts'
import { needTrace } from '../trace-files.ts'
import type { Charts } from './chart-text.ts'
import { type Failure, resolveFailure } from './failure.ts'
import { failingTest, recordedTest, type TestRequest, type TestResult } from './test-text.ts'
import { verdictOf } from './verdict.ts'

/** A recording in a file of the allowed folders, or its bytes. */
export type Input = string | Uint8Array

interface Common {
  readonly input: Input
  /** Module with the machines; undefined for those of this build. */
  readonly machines: string | undefined
}

/** How a run of the code on disk ended. */
export interface DriveResult {
  readonly finding: Pick<Finding, 'outcome' | 'lines'>
  readonly verdict?: Verdict
  /** Why no failure can be checked, as a sentence. */
  readonly noTest?: string
  /** The run as a recording. */
  readonly run?: Uint8Array
}

export type MinimizedResult =
  | { readonly outcome: 'fine' | 'unusable'; readonly reason: string }
  | {
      readonly outcome: 'minimized'
      readonly trace: Uint8Array
      readonly keptCount: number
      readonly of: number
      readonly triedCount: number
      readonly isOneMinimal: boolean
      readonly name: string
    }

/** Each task with its arguments and its result, which are sent between processes. */
export interface Tasks {
  /** The machines on disk, with their positions. */
  readonly charts: { readonly args: Common; readonly result: Charts }
  readonly derive: { readonly args: Common; readonly result: Uint8Array }
  readonly replay: { readonly args: Common; readonly result: Pick<Finding, 'outcome' | 'lines'> }
  readonly drive: { readonly args: Common & { readonly failure: Failure }; readonly result: DriveResult }
  readonly minimize: {
    readonly args: Common & { readonly failure: Failure; readonly limit: number | undefined }
    readonly result: MinimizedResult
  }
  readonly test: { readonly args: Common & { readonly request: TestRequest }; readonly result: TestResult }
  readonly coverage: {
    readonly args: Omit<Common, 'input'> & { readonly inputs: readonly Input[] }
    readonly result: CoverageReport
  }
}

export type TaskName = keyof Tasks

type OnProgress = (done: number, total?: number) => void

/** @throws Error with the reason, if the recording or the machines cannot be used */
export const TASKS: {
  readonly [Name in TaskName]: (
    args: Tasks[Name]['args'],
    onProgress: OnProgress,
  ) => Promise<Tasks[Name]['result']>
} = {
  async derive({ input, machines }, onProgress) {
    const trace = await traceOf(input)
    const derived = deriveSteps(trace, (await loadMachines(machines)).need(trace), { onProgress })
    if (derived.kind === 'unusable') throw new Error(derived.message)
    return encodeFile(derived.trace)
  },

  async charts({ input, machines }) {
    const trace = await traceOf(input)
    const { report, trace: run } = makeDrive(trace, (await loadMachines(machines)).need(trace), {
      compare: false,
      keep: () => false,
    })
    if (!run) throw new Error('reason' in report ? report.reason : 'the machines could not start')
    return chartsOf(run)
  },

  async replay({ input, machines }, onProgress) {
    const { examine: replayLook } = await replayExamination({ machines, isWhatIf: false })
    const { outcome, lines } = await replayLook(
      await traceOf(input),
      { at: onProgress, end: () => undefined },
      0,
    )
    return { outcome, lines }
  },

  async drive({ input, machines, failure }, onProgress) {
    const trace = await traceOf(input)
    const loadedMachines = await loadMachines(machines)
    let run: ReplayableTrace | undefined
    const examination = await replayExamination({ machines, isWhatIf: true }, trace => {
      run = trace
      return Promise.resolve()
    })
    const { outcome, lines } = await examination.examine(trace, { at: onProgress, end: () => undefined }, 0)
    const judged = run ? judge(failure, trace, run, loadedMachines) : {}
    return {
      finding: { outcome, lines },
      ...judged,
      ...(run && { run: await encodeFile(run) }),
    }
  },

  async minimize({ input, machines, failure, limit }, onProgress) {
    const trace = await traceOf(input)
    const systems = (await loadMachines(machines)).need(trace)
    const resolved = resolveFailure(failure, trace, systems)
    if ('noTest' in resolved) return { outcome: 'unusable', reason: resolved.noTest }
    const failing = breaks(...resolved.assertions)
    let total = 0
    const result = await minimize(trace, systems, failing, {
      ...(limit !== undefined && { limit }),
      onProgress({ left }) {
        total ||= left
        onProgress(total - left, total)
      },
    })
    if (result.outcome === 'unusable') return result
    if (result.outcome === 'fine')
      return { outcome: 'fine', reason: `${failing.name}: it does not fail with these machines` }
    const { kept: keptCount, of, tried: triedCount, isOneMinimal } = result
    const bytes = await encodeFile(result.trace)
    return {
      outcome: 'minimized',
      trace: bytes,
      keptCount: keptCount.length,
      of,
      triedCount,
      isOneMinimal,
      name: failing.name,
    }
  },

  async test({ input, machines, request }) {
    const loadedMachines = await loadMachines(machines)
    const trace = await traceOf(input)
    const systems = loadedMachines.need(trace)
    const system = loadedMachines.importFor(trace, request.out)
    if (request.kind === 'recorded') return recordedTest(trace, systems, system, request)
    const resolved = resolveFailure(request.failure, trace, systems)
    if ('noTest' in resolved) throw new Error(`No failing test can be made. ${resolved.noTest}`)
    return failingTest(trace, systems, system, resolved, request)
  },

  async coverage({ inputs, machines }, onProgress) {
    const loadedMachines = await loadMachines(machines)
    const traces: ReplayableTrace[] = []
    for (const input of inputs) traces.push(await traceOf(input))
    const reports: CoverageReport[] = []
    for (const [at, trace] of traces.entries()) {
      reports.push(coverage([trace], loadedMachines.for(trace)))
      onProgress(at + 1, traces.length)
    }
    const { mergeCoverage } = await import('../../public/devtools/replay.ts')
    return mergeCoverage(reports)
  },
}

async function traceOf(input: Input): Promise<ReplayableTrace> {
  if (typeof input === 'string') return needTrace(input)
  const read = await readTrace(input)
  if (read.kind === 'unusable') throw new Error(read.message)
  return read.trace
}

const chartsOf = ({ header: { machines, sources } }: ReplayableTrace): Charts => ({
  machines,
  ...(sources && { sources }),
})

/** Whether the failure occurs in the run. */
function judge(
  failure: Failure,
  trace: ReplayableTrace,
  run: ReplayableTrace,
  loadedMachines: Machines,
): Pick<DriveResult, 'verdict' | 'noTest'> {
  const systems = loadedMachines.for(trace)
  if ('incident' in failure && failure.incident) {
    const { verdict, noTest } = examineReport(trace, systems, failure.incident)
    return { verdict, ...(noTest !== undefined && { noTest }) }
  }
  const resolved = resolveFailure(failure, trace, systems)
  return 'noTest' in resolved ? resolved : { verdict: verdictOf(resolved.assertions, run) }
}
