// Drives the recordings of running systems through an edited module, in slices.
import type { AnyActorLogic } from 'xstate'
import type { ReplayableTrace } from '../../../trace/index.ts'
import type { UnwrittenRecording } from '../../recording/index.ts'
import { type Drive, driveTurns } from '../../replay/index.ts'
import { createSlices } from '../../runtime/index.ts'
import type { ControlHandle } from '../create-control.ts'
import type { ModuleEdit } from './module-edit.ts'

/** A recorded system of the page. */
export interface EditedSystem {
  readonly id: number
  readonly label: string
  readonly logic: AnyActorLogic
  readonly own: UnwrittenRecording<AnyActorLogic>
  readonly secrets: ReadonlyMap<string, string>
  /** Absent if the app controls the time of the system. */
  readonly control?: Pick<ControlHandle, 'open'>
}

/** A system with its recording as of the edit, and the time until which it is driven. */
export interface Captured extends EditedSystem {
  readonly trace: ReplayableTrace
  readonly until: number
}

/** Captures the recording of a system, which may grow or end while it is driven. */
export function captured<S extends EditedSystem>(system: S): Captured & S {
  const { trace: live } = system.own
  const { header, actors, stimuli, steps, tape, keyframes, hashes, damage } = live
  const trace = {
    ...live,
    header,
    actors: [...actors],
    stimuli: [...stimuli],
    steps: [...steps],
    tape: [...tape],
    keyframes: [...keyframes],
    hashes: [...hashes],
    damage: [...damage],
  }
  return { ...system, trace, until: system.own.elapsed() }
}

/** A driven system. */
export interface DrivenEdit extends Captured {
  readonly drive: Drive
}

export interface DriveEditOptions {
  readonly signal: AbortSignal
  /** Called between two slices, with the number of inputs that were repeated. */
  readonly onProgress?: (count: number) => void
}

/** Drives one system. Rejects when aborted. */
export async function driveEdit(
  system: Captured,
  edit: ModuleEdit,
  { signal, onProgress }: DriveEditOptions,
): Promise<DrivenEdit> {
  const { trace, logic, until } = system
  const pause = createSlices()
  const turns = driveTurns(trace, { [trace.header.system]: logic }, { until, signal })
  for (;;) {
    let turn: Promise<void> | undefined
    const { done, value } = edit.during(() => {
      for (;;) {
        const next = turns.next()
        if (next.done) return next
        turn = pause()
        if (turn) return next
      }
    })
    signal.throwIfAborted()
    if (done) return { ...system, drive: value }
    onProgress?.(value)
    await turn
  }
}
