// What the console shows of edit and replay, and what it can ask for.
import type { EditReplayContext } from '../../../machines/console/edit-replay.ts'
import { plural, count } from '../text.ts'
import type { ConsoleRecording } from '../console-recording.ts'

/** How a recording of the page went with the new version of a module. */
export interface SystemVerdict {
  /** Name of the system in the list. */
  readonly label: string
  readonly steps: number
  readonly outcome: 'same' | 'differs' | 'unverified' | 'unusable'
  /** The first difference, or why it cannot be driven; without its period. */
  readonly reason?: string
  readonly first?: FirstDifference
}

export interface FirstDifference {
  /** Number of the step. */
  readonly step: number
  /** Path of the actor that differs, if it does. */
  readonly actor?: string
  /** What was recorded, what happens now, and the likeliest cause, in lines. */
  readonly lines: readonly string[]
  /** Both runs. */
  readonly recorded: ConsoleRecording
  readonly driven: ConsoleRecording
}

/** Names of the top states of `editReplay`. */
export type EditPhase =
  'idle' | 'loading' | 'driving' | 'judged' | 'applying' | 'applied' | 'refused' | 'updating'

/** The same object until it changes. */
export interface EditState extends EditReplayContext {
  readonly phase: EditPhase
  /** Of each system that uses the module; empty before the verdict. */
  readonly verdicts: readonly SystemVerdict[]
}

/** Edit and replay of the page, for its console. */
export interface ConsoleEdits {
  readonly state: () => EditState
  readonly subscribe: (listener: () => void) => () => void
  readonly send: (type: 'apply.requested' | 'update.requested' | 'edit.dismissed') => void
}

/** Describes the state in one line; undefined if there is nothing to show. */
export function editText({ phase, saved, message, verdicts, progress }: EditState): string | undefined {
  const { file } = saved
  if (phase === 'loading') return `${file}: loading the new version`
  if (phase === 'driving')
    return `${file}: replaying${progress.total > 0 ? ` ${plural(progress.total, 'input')}` : ''}`
  if (phase === 'judged') return `${file}: ${verdictText(verdicts)}`
  if (phase === 'applying') return `${file}: applying`
  if (phase === 'applied')
    return `${file} is applied. The app is in the state that the new version would have reached.`
  if (phase === 'refused') return `${file}: ${message}${saved.isHeld ? ' The app is unchanged.' : ''}`
  return undefined
}

function verdictText(verdicts: readonly SystemVerdict[]): string {
  const [only] = verdicts
  if (only && verdicts.length === 1) return oneText(only)
  const others = verdicts.filter(({ outcome }) => outcome !== 'same')
  if (others.length > 0) return others.map(one => `${one.label} ${oneText(one)}`).join('; ')
  const steps = verdicts.reduce((sum, one) => sum + one.steps, 0)
  return `same in all ${plural(steps, 'step')} of ${count(verdicts.length)} systems`
}

function oneText({ outcome, steps, first, reason = '' }: SystemVerdict): string {
  if (outcome === 'same') return `same in all ${plural(steps, 'step')}`
  if (outcome === 'unverified') return 'no step is recorded yet'
  if (outcome === 'unusable') return `the recording cannot be replayed: ${reason}`
  return first ? `differs at step ${count(first.step)}: ${reason}` : `differs: ${reason}`
}

/** Share of the work that is done, from 0 to 1; undefined if none goes on. */
export function editShare({ phase, progress: { count: done, total } }: EditState): number | undefined {
  if (phase !== 'driving' && phase !== 'applying') return undefined
  return total === 0 ? 0 : done / total
}
