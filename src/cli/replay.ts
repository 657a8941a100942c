// `chartroom replay`: replays traces and compares every step with the recording.
import {
  checkInvariants,
  deriveSteps,
  describeDetours,
  describeDivergence,
  describeSilentChanges,
  describeViolation,
  type DriveOptions,
  encodeFile,
  type MachineDifference,
  makeDrive,
  type ReplayableTrace,
  type ReplayReport,
  type SystemRegistry,
  systems as ownSystems,
  verify,
  type Violation,
} from '../public/replay.ts'
import { defineCommand } from './command.ts'
import { describeDrive } from './describe-drive.ts'
import { eachFile, REPORT_FLAGS, type Finding, type Look } from './each-file.ts'
import { loadSystems, MACHINES_FLAG, systemHint } from './machines-file.ts'
import { UsageError } from './usage.ts'
import { checkNew, WRITE_FLAGS, writeNew } from './write-file.ts'

/** The worst outcome of all files determines the exit code. */
export const replayCommand = defineCommand({
  usage: 'replay FILE... [flags]',
  text: `Replays each trace against the machines of this build, or those of --machines, and compares every
step; checks the invariants on the recorded steps. "-" reads a trace from standard input.

Exit code: 0 all exact, 1 a trace diverged, failed an invariant or could not be verified because it
contains nothing to compare, 2 a file could not be used.`,
  flags: {
    'what-if': {
      type: 'boolean',
      about: 'For changed machines: continue after the first difference with the best fit',
    },
    out: {
      type: 'string',
      value: 'FILE',
      about: 'With --what-if: output file for a trace of the changed machines',
    },
    ...REPORT_FLAGS,
    ...MACHINES_FLAG,
    ...WRITE_FLAGS,
  },
  takes: [1, Infinity, 'file'],
  async run({ values, names }) {
    const { out, force } = values
    if (out !== undefined) await checkOut(out, values, names)
    const systems = await loadSystems(values.machines)
    const hintOf = (trace: ReplayableTrace) => systemHint(trace, systems, values.machines)
    const verified: Look = (trace, { at }) =>
      describeReport(verify(trace, systems, { onProgress: at }), violationsOf(trace, systems), hintOf(trace))
    const driven: Look = async (trace, { at }) => {
      const onStep: DriveOptions['onStep'] = ({ stimulus }) => at(stimulus.seq + 1, trace.stimuli.length)
      const { report, trace: run } = makeDrive(trace, systems, { onStep })
      if (out !== undefined && run) await writeNew(out, await encodeFile(run), force)
      return describeDrive(report, hintOf(trace))
    }
    return eachFile({
      name: 'replay',
      files: names,
      values,
      doing: ['Replaying', 'stimuli'],
      look: values['what-if'] ? driven : verified,
    })
  },
})

/** @throws Error with the fix, if the result of `--what-if` cannot be written to `out` */
async function checkOut(
  out: string,
  { 'what-if': isWhatIf, force }: { readonly 'what-if': boolean; readonly force: boolean },
  files: readonly string[],
): Promise<void> {
  if (!isWhatIf) throw new UsageError('--out requires --what-if.')
  if (files.length > 1)
    throw new UsageError(`--out takes a single trace, but ${files.length} files were given.`)
  await checkNew(out, force)
}

/**
 * The invariants apply to the client only: other systems may use effects with the same names. For a trace
 * without steps that cannot be derived, the report describes the problem.
 */
function violationsOf(trace: ReplayableTrace, systems: SystemRegistry): readonly Violation[] {
  if (!Object.hasOwn(ownSystems, trace.header.system)) return []
  const derived = deriveSteps(trace, systems)
  return derived.kind === 'trace' ? checkInvariants(derived.trace) : []
}

const CODES = { exact: 0, diverged: 1, unverified: 1, unusable: 2 } as const

function describeReport(
  report: ReplayReport,
  violations: readonly Violation[],
  hint: readonly string[],
): Finding {
  const { outcome, stimuli, steps, compared, machines } = report
  const code = CODES[outcome]
  const broken = violations.map(violation => `failed: ${describeViolation(violation)}`)
  const described = 'divergence' in report && report.divergence ? describeDivergence(report.divergence) : []
  const lines = [
    ...('reason' in report ? [report.reason, ...hint] : []),
    `${stimuli} stimuli, ${steps} recorded steps; ${compared} steps identical`,
    ...machines.map(describeMachine),
    ...(outcome === 'exact' ? describeSilentChanges(report.changes ?? []) : []),
    ...(report.detours ? describeDetours(report.detours) : []),
  ]
  if (described.length === 0 && outcome === 'unusable' && compared > 0)
    lines.push('the recorded part replays exactly')
  return {
    code: code === 0 && violations.length > 0 ? 1 : code,
    outcome,
    lines: [...lines, ...described, ...hintLines(report), ...broken],
    message: 'reason' in report ? report.reason : (described[0] ?? broken[0] ?? ''),
    json: { ...report, violations },
  }
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
