// Edit and replay: drives running systems through the new version of a module, and puts them into the state that they
// would have with it. Loaded when a module is saved first.
import { captured, type Captured, driveEdit, type DrivenEdit, type EditedSystem } from './drive-edit.ts'
import { planApply } from './apply-drive.ts'
import { EditRefused, type Exports, type MachinePair, ModuleEdit } from './module-edit.ts'
import { isRunning } from '../../recording/index.ts'

export type { DrivenEdit, EditedSystem } from './drive-edit.ts'
export { captured, type Captured } from './drive-edit.ts'
export { EditRefused, type Exports, type MachinePair } from './module-edit.ts'
export { type EditVerdict, verdictOf } from './verdict.ts'

/** An edit of the module and the recordings that it is checked with. */
export interface PreparedEdit {
  readonly edit: ModuleEdit
  readonly systems: readonly Captured[]
}

/** Both versions of a module. */
export interface EditedModule {
  /** Exports of the version that the app uses. */
  readonly live: Exports
  readonly next: Exports
  /** Machines that it does not export. */
  readonly others?: readonly MachinePair[]
  /** False for an edit that is only compared: other exports may change, too. Defaults to true. */
  readonly isApplied?: boolean
}

/**
 * Pairs the machines of both versions, and returns the systems that use them.
 * @throws EditRefused if the new version cannot take the other's place
 */
export function prepareEdit(
  { live, next, others, isApplied }: EditedModule,
  systems: readonly Captured[],
): PreparedEdit {
  const edit = new ModuleEdit(live, next, isApplied, others)
  return { edit, systems: systems.filter(({ logic }) => edit.concerns(logic)) }
}

/** How far a drive of all systems is. */
export interface EditProgress {
  readonly count: number
  readonly total: number
}

export interface DriveSystemsOptions {
  readonly signal: AbortSignal
  readonly onProgress?: (progress: EditProgress) => void
}

/** Drives every system. Rejects when aborted. */
export async function driveSystems(
  { edit, systems }: PreparedEdit,
  { signal, onProgress }: DriveSystemsOptions,
): Promise<DrivenEdit[]> {
  const total = systems.reduce((sum, { trace }) => sum + trace.stimuli.length, 0)
  const driven: DrivenEdit[] = []
  let before = 0
  for (const system of systems) {
    const start = before
    driven.push(
      await driveEdit(system, edit, {
        signal,
        onProgress: count => onProgress?.({ count: start + count, total }),
      }),
    )
    before += system.trace.stimuli.length
  }
  return driven
}

/** Whether nothing has entered the systems since they were driven. */
const isCurrent = ({ own: unwritten, trace }: DrivenEdit): boolean =>
  unwritten.trace.stimuli.length === trace.stimuli.length

/** How often a system is driven again because of new events. */
const MOST_TRIES = 5

/**
 * Gives the objects of the module their new contents and all systems the state that they were driven to. Systems in
 * which something has happened since are paused and driven again.
 * @throws EditRefused if a system cannot take that state; then nothing has changed
 */
export async function applyEdit(
  edit: ModuleEdit,
  driven: readonly DrivenEdit[],
  options: DriveSystemsOptions,
): Promise<void> {
  let current = driven.filter(({ own: { actor } }) => isRunning(actor))
  if (current.every(isCurrent)) return applyNow(edit, current)
  const releases = await Promise.all(current.map(holdOf))
  try {
    for (let tries = 0; !current.every(isCurrent); tries++) {
      if (tries === MOST_TRIES)
        throw new EditRefused('The app does not rest long enough for the new machines to catch up with it.')
      current = await driveSystems({ edit, systems: current.map(captured) }, options)
    }
    applyNow(edit, current)
  } finally {
    for (const release of releases) release()
  }
}

/** Pauses a system, unless the app controls its clock. */
async function holdOf({ control }: EditedSystem): Promise<() => void> {
  const opened = await control?.open()
  if (opened === undefined || opened.state().hold !== undefined) return () => undefined
  opened.hold()
  return () => opened.release()
}

function applyNow(edit: ModuleEdit, driven: readonly DrivenEdit[]): void {
  const plans = driven.map(system => {
    const { drive, label, own } = system
    const { report, system: reached } = drive
    if (report.outcome === 'unusable' || !reached)
      throw new EditRefused(`${label}: ${'reason' in report ? report.reason : 'it has no state'}.`)
    edit.during(() => reached.passTo(own.elapsed()))
    return planApply(system, reached)
  })
  let isApplied = false
  const once = () => {
    if (!isApplied) edit.apply()
    isApplied = true
  }
  const notify = plans.map(plan => plan(once))
  once()
  for (const one of notify) one()
}
