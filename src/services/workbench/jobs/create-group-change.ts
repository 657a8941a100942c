// Runs a change of a group of reports: the machine with its ports; recorded separately.
import type { NonReducibleUnknown } from 'xstate'
import {
  type CompareEvent,
  type GroupChangeInput,
  groupChangeMachine,
  type SaveChangeEvent,
} from '../../../machines/workbench/group-change.ts'
import { effect } from '../../runtime/index.ts'
import { type Job, runJob } from './run-job.ts'

export interface GroupChangeOptions extends GroupChangeInput {
  /** Compares the saved notes with those that the member saw. */
  readonly compare: (signal: AbortSignal) => Promise<CompareEvent>
  /** Sends the change. */
  readonly save: (signal: AbortSignal) => Promise<SaveChangeEvent>
}

export type GroupChangeJob = Job<typeof groupChangeMachine>

/** Checks and sends the change. */
export function createGroupChange({ compare, save, ...input }: GroupChangeOptions): GroupChangeJob {
  const compareNotes = effect<NonReducibleUnknown, CompareEvent>((_, signal) => compare(signal))
  const saveChange = effect<NonReducibleUnknown, SaveChangeEvent>((_, signal) => save(signal))
  return runJob('groupChange', groupChangeMachine.provide({ actors: { compareNotes, saveChange } }), input)
}
