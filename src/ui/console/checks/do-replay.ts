// Replays a file: verifies it, finds where it diverges, and minimizes it.
import type { Drive } from '../../../services/replay/index.ts'
import { type ReplayableTrace, stateLabel } from '../../../trace/index.ts'
import type { SystemRegistry } from '../../../services/runtime/index.ts'
import { alignRuns } from './align.ts'
import { assertionsOf } from './do-check.ts'
import { readWhole, type JobPlace } from './job-place.ts'
import { INVARIANT_NAMES } from './findings.ts'
import type { Afterwards, Answer, Ask, Verified } from './jobs.ts'
import { describeSteps } from './described-steps.ts'

export async function verifyFile({ file }: Ask<'verify'>, place: JobPlace): Promise<Verified> {
  const { report: notify } = place
  const { verify, systems: clients } = await import('../replay-engine.ts')
  const { describeDetours, describeDivergence, describeSilentChanges } = await import('../replay-engine.ts')
  const systems = { ...clients, ...place.systems }
  const trace = await readWhole(file)
  const report = verify(trace, systems, {
    onProgress: (done, whole) => {
      if (done % TELL_EVERY === 0)
        notify({ share: done / whole, words: `${done.toLocaleString('en')} stimuli` })
    },
  })
  const { outcome, system, stimuli, compared, keyframes, machines, changes = [], detours } = report
  const divergence = 'divergence' in report ? report.divergence : undefined
  const notes = [
    ...('hints' in report ? (report.hints ?? []) : []),
    ...(report.xstate ? [`recorded with XState ${report.xstate.was}, and this is ${report.xstate.is}`] : []),
    ...(outcome === 'exact' ? describeSilentChanges(changes) : []),
    ...(detours ? describeDetours(detours) : []),
  ]
  return {
    outcome,
    system,
    stimuli,
    compared,
    machines,
    notes,
    ...('reason' in report && { reason: report.reason }),
    ...(keyframes !== undefined && { keyframes }),
    ...(divergence && { divergence, words: describeDivergence(divergence) }),
    ...(divergence && (await goneOn(trace, systems, divergence.index, place))),
  }
}

/** Stimuli between two progress reports. */
const TELL_EVERY = 250

/** Continues the run past the first difference with the best matches. */
async function goneOn(
  trace: ReplayableTrace,
  systems: SystemRegistry,
  index: number,
  { report }: JobPlace,
): Promise<Pick<Verified, 'runs' | 'after'>> {
  const { makeDrive } = await import('../replay-engine.ts')
  report({ words: 'continuing past the difference' })
  const drive = makeDrive(trace, systems)
  const after = afterwards(drive)
  const hasSteps = trace.header.steps !== false && drive.trace !== undefined
  return {
    ...(hasSteps && drive.trace && { runs: alignRuns(trace, drive.trace, index) }),
    ...(after && { after }),
  }
}

const UNPLACED = 20

function afterwards({ report }: Drive): Afterwards | undefined {
  if (report.outcome === 'unusable') return undefined
  const { placed, unplaced, final, changes } = report
  const shown = unplaced.items.slice(0, UNPLACED)
  const stateOf = (one: (typeof final)[number]['was']) =>
    one ? stateLabel(one.value) || one.status : 'not present'
  return {
    placed,
    changes,
    unplaced: shown.map(({ seq, to, event, why }) => ({ seq, words: `${event ?? 'stop'} to ${to}: ${why}` })),
    more: unplaced.items.length - shown.length + unplaced.more,
    final: final
      .filter(({ isSame }) => !isSame)
      .map(({ actor, was, is }) => ({ actor, was: stateOf(was), is: stateOf(is) })),
  }
}

export async function minimizeFile(ask: Ask<'minimize'>, place: JobPlace): Promise<Answer<'minimize'>> {
  const { breaks, encodeFile, minimize, systems } = await import('../replay-engine.ts')
  const all = await assertionsOf(
    ask.assertions,
    ask.fails.some(name => INVARIANT_NAMES.has(name)),
  )
  const failing = breaks(...all.filter(({ name }) => ask.fails.includes(name)))
  const trace = await readWhole(ask.file)
  const result = await minimize(trace, { ...systems, ...place.systems }, failing, {
    signal: place.signal,
    onProgress: ({ left, tried }) => place.report({ words: `${left} events left after ${tried} tries` }),
  })
  const { fails } = ask
  if (result.outcome !== 'minimized') return { ...result, fails }
  const { trace: least, kept, of, tried, isOneMinimal } = result
  const steps = describeSteps(
    least,
    least.stimuli.map(({ seq }) => seq),
  )
  const file = new Blob([await encodeFile(least)], { type: 'application/gzip' })
  return { outcome: 'minimized', fails, file, kept: kept.length, of, tried, isOneMinimal, steps }
}
