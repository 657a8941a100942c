// What `chartroom replay` finds in one trace: an exact replay, or what changed machines do instead.
import { checkInvariants, describeViolation, type Violation } from '../public/devtools/assertions.ts'
import {
  describeDetours,
  describeDivergence,
  describeSilentChanges,
  type Divergence,
  type DriveOptions,
  type DriveReport,
  type MachineDifference,
  makeDrive,
  type ReplayableTrace,
  type ReplayReport,
  systems as ownSystems,
  verify,
} from '../public/devtools/replay.ts'
import { codeLink, codePath } from './code-position.ts'
import type { Finding } from './file-report.ts'
import { loadMachines } from './machines-file.ts'
import type { Examination, Examine } from './trace-files.ts'
import { explain, explainEnd, isExplained, oneLine, stateText, timeInWords } from '../trace/index.ts'

export interface ReplaySettings {
  /** The value of `--machines`. */
  readonly machines: string | undefined
  readonly isWhatIf: boolean
}

/**
 * Loads the machines, and returns how each file is examined.
 * @param onRun receives the run of changed machines
 * @throws UsageError if the machines cannot be loaded
 */
export async function replayExamination(
  { machines, isWhatIf }: ReplaySettings,
  onRun?: (run: ReplayableTrace) => Promise<void>,
): Promise<Examination> {
  const loadedMachines = await loadMachines(machines)
  const verified: Examine = (trace, { at }) => {
    if (!isOwn(trace))
      return describeReport(
        verify(trace, loadedMachines.for(trace), { onProgress: at }),
        [],
        loadedMachines.hint(trace),
      )
    // If the steps cannot be derived, the report describes the problem.
    let withSteps = trace.header.steps === false ? undefined : trace
    const onDerived = (derived: ReplayableTrace) => void (withSteps = derived)
    const report = verify(trace, loadedMachines.for(trace), { onProgress: at, onDerived })
    return describeReport(
      report,
      withSteps ? checkInvariants(withSteps) : [],
      loadedMachines.hint(trace),
      withSteps,
    )
  }
  const driven: Examine = async (trace, { at }) => {
    const onStep: DriveOptions['onStep'] = ({ stimulus }) => at(stimulus.seq + 1, trace.stimuli.length)
    const { report, trace: run } = makeDrive(trace, loadedMachines.for(trace), { onStep })
    if (run) await onRun?.(run)
    return describeDrive(report, loadedMachines.hint(trace))
  }
  return { doing: ['Replaying', 'inputs'], examine: isWhatIf ? driven : verified }
}

/** The invariants apply to the client only: other systems may use effects with the same names. */
const isOwn = ({ header }: ReplayableTrace) => Object.hasOwn(ownSystems, header.system)

const CODES = { exact: 0, diverged: 1, unverified: 1, unusable: 2 } as const

function describeReport(
  report: ReplayReport,
  violations: readonly Violation[],
  hint: readonly string[],
  trace?: ReplayableTrace,
): Finding {
  const { outcome, stimuli, steps, compared, machines } = report
  const code = CODES[outcome]
  const broken = violations.map(violation => `failed: ${describeViolation(violation)}`)
  const described =
    'divergence' in report && report.divergence ? describeDivergence(report.divergence, codeLink) : []
  const lines = [
    ...('reason' in report ? [report.reason, ...hint] : []),
    report.keyframes === undefined
      ? `${stimuli} inputs, ${steps} recorded steps; ${compared} steps identical`
      : `${stimuli} inputs, recorded without steps; ${report.keyframes} keyframes identical`,
    ...machines.map(describeMachine),
    ...(outcome === 'exact' ? describeSilentChanges(report.changes ?? []) : []),
    ...(report.detours ? describeDetours(report.detours) : []),
  ]
  if (described.length === 0 && outcome === 'unusable' && compared > 0)
    lines.push('the recorded part replays exactly')
  return {
    code: code === 0 && violations.length > 0 ? 1 : code,
    outcome,
    lines: [...lines, ...described, ...hintLines(report), ...broken, ...explanationLines(trace, violations)],
    message: 'reason' in report ? report.reason : (described[0] ?? broken[0] ?? ''),
    ...problemOf(report, violations),
    ...('divergence' in report && atOf(report.divergence)),
    json: { ...report, violations },
  }
}

/** Why the first violation happened, or how the recording ends if that is a problem. */
function explanationLines(trace: ReplayableTrace | undefined, [violation]: readonly Violation[]): string[] {
  if (!trace) return []
  const answer = violation ? explain(trace, { step: violation.seq }) : explainEnd(trace)
  return answer && isExplained(answer) ? [`explained: ${oneLine(answer.sentence)}`] : []
}

/** Other recordings with this problem differ in their numbers of steps and actors. */
function problemOf(report: ReplayReport, [violation]: readonly Violation[]): { problem?: string } {
  if ('divergence' in report && report.divergence) return { problem: differenceOf(report.divergence) }
  if ('reason' in report || !violation) return {}
  return { problem: `failed: ${violation.invariant}` }
}

const atOf = (divergence: Divergence | undefined): Pick<Finding, 'at'> =>
  divergence?.at ? { at: { ...divergence.at, file: codePath(divergence.at.file) } } : {}

function differenceOf({ expected, got: actual, differences: [first], problem }: Divergence): string {
  const step = expected ?? actual
  const place = step && `${step.actor.replaceAll(/\d+/g, 'n')} took ${step.event}`
  const what = problem ?? (first ? `${first.path || 'the step'} differs` : 'another step')
  return place === undefined ? what : `${place}: ${what}`
}

/** Possible causes outside the machines. */
function hintLines(report: ReplayReport): string[] {
  const { xstate } = report
  const hints = report.outcome === 'diverged' ? (report.hints ?? []) : []
  const version = xstate && `recorded with XState ${xstate.was}, replayed with ${xstate.is}`
  return [...(version === undefined ? [] : [version]), ...hints.map(hint => `hint: ${hint}`)]
}

function describeMachine({ id, difference }: MachineDifference): string {
  const means = {
    changed: 'differs from the recorded one',
    missing: 'was recorded but is missing here',
    added: 'exists here but was not recorded',
  }
  return `machine ${id} ${means[difference]}`
}

type Driven = Exclude<DriveReport, { outcome: 'unusable' }>

/** Changed machines may behave differently; a difference is a finding, not an error. */
function describeDrive(report: DriveReport, hint: readonly string[]): Finding {
  const { outcome, stimuli } = report
  if (outcome === 'unusable') return { code: 2, outcome, lines: [report.reason, ...hint], json: report }
  const lines = [
    `${report.placed} of ${stimuli} inputs applied`,
    ...(outcome === 'unverified' ? ['no steps compared: the trace was recorded without steps'] : []),
    ...(report.first ? describeDivergence(report.first, codeLink) : []),
    ...restOf(report),
  ]
  const message = report.first ? `first difference at step ${report.first.index}` : (lines[0] ?? '')
  const problem = report.first ? differenceOf(report.first) : message
  return {
    code: outcome === 'same' ? 0 : 1,
    outcome,
    lines,
    message,
    problem,
    ...atOf(report.first),
    json: report,
  }
}

function restOf({
  later: diverged,
  unplaced,
  waits,
  unrecorded,
  delays,
  impossible,
  final,
}: Driven): string[] {
  const differing = final.filter(({ isSame }) => !isSame)
  return [
    ...section('states that differ', diverged, ({ actor, from, until, was: previous, is }) => {
      const when = until === undefined ? `from input ${from} on` : `from input ${from} to ${until}`
      return `${actor} ${stateChange(previous, is)}, ${when}`
    }),
    ...section(
      'not applied',
      unplaced,
      ({ seq, kind, to, why: reason }) => `#${seq} ${kind} to ${to}: ${reason}`,
    ),
    ...section(
      'waits',
      waits,
      ({ actor, src, since }) =>
        `${actor} waits since input ${since} for a result of ${src} that was never recorded`,
    ),
    ...section(
      'not recorded',
      unrecorded,
      ({ t, actor, event }) => `${timeInWords(t)}: ${actor} triggered ${event}`,
    ),
    ...section(
      'other delays',
      delays,
      ({ seq, actor, event, was: previousMs, is }) =>
        `#${seq} ${actor} ${event}: ${previousMs} ms recorded, ${is} ms now`,
    ),
    ...impossible,
    ...(differing.length === 0 ? [] : ['final differences']),
    ...differing.map(({ actor, was: previous, is }) => `  ${actor} ${stateChange(previous, is)}`),
  ]
}

function section<T>(
  title: string,
  { items, more: moreCount }: { readonly items: readonly T[]; readonly more: number },
  describe: (item: T) => string,
): string[] {
  if (items.length === 0) return []
  const shownItems = items.slice(0, MAX_SHOWN)
  const left = moreCount + items.length - shownItems.length
  return [
    title,
    ...shownItems.map(item => `  ${describe(item)}`),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ]
}

/** `--json` prints all items of the report. */
const MAX_SHOWN = 10

type State = NonNullable<Driven['final'][number]['was'] | Driven['later']['items'][number]['was']>

function stateChange(previous: State | undefined, is: State | undefined): string {
  const [before, after] = [previous, is].map(state => (state ? stateOf(state) : 'absent'))
  return before === after ? `is ${after} in both, with a different context` : `was ${before}, is ${after}`
}

function stateOf(state: State): string {
  const value = 'event' in state ? state.state : state.value
  const text = stateText(value)
  return [text, ...(state.status === 'active' && text !== '' ? [] : [state.status])]
    .filter(Boolean)
    .join(', ')
}
