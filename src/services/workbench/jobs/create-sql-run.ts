// Runs a SQL script: the machine with its ports; recorded separately, without the script and its results.
import type { NonReducibleUnknown, SnapshotFrom } from 'xstate'
import {
  type OutcomeEvent,
  type ScriptEvent,
  type SqlEnd,
  type SqlMode,
  type SqlRunContext,
  sqlRunMachine,
} from '../../../machines/workbench/sql-run.ts'
import { describeFailure } from '../../client/index.ts'
import { effect } from '../../runtime/index.ts'
import { type Job, retrySeed, runJob } from './run-job.ts'

/** What the machine learns of a script. */
export interface SqlOutcomeSize {
  readonly end: SqlEnd
  readonly statements: number
}

export interface SqlRunOptions {
  readonly mode: SqlMode
  readonly limitMs: number
  /** Sends the script; aborting closes the connection. */
  readonly run: (signal: AbortSignal) => Promise<SqlOutcomeSize>
  /** Cancels the script if it still runs, and asks for its outcome. */
  readonly settle: (signal: AbortSignal) => Promise<SqlOutcomeSize>
}

export type SqlRunJob = Job<typeof sqlRunMachine>

export interface SqlRunState extends Pick<SqlRunContext, 'end' | 'failure' | 'isCanceled'> {
  readonly phase: SnapshotFrom<typeof sqlRunMachine>['value']
}

export const sqlRunState = ({ value, context }: SnapshotFrom<typeof sqlRunMachine>): SqlRunState => ({
  phase: value,
  end: context.end,
  failure: context.failure,
  isCanceled: context.isCanceled,
})

/** Sends the script. */
export function createSqlRun({ mode, limitMs, run, settle }: SqlRunOptions): SqlRunJob {
  const runScript = effect<NonReducibleUnknown, ScriptEvent>(async (_, signal) => {
    try {
      return { type: 'script.ended', ...(await run(signal)) }
    } catch (error) {
      signal.throwIfAborted()
      return { type: 'script.failed', failure: await describeFailure(error) }
    }
  })
  const settleScript = effect<NonReducibleUnknown, OutcomeEvent>(async (_, signal) => {
    try {
      return { type: 'script.ended', ...(await settle(signal)) }
    } catch (error) {
      signal.throwIfAborted()
      return { type: 'outcome.failed', failure: await describeFailure(error) }
    }
  })
  const machine = sqlRunMachine.provide({ actors: { runScript, settleScript } })
  return runJob('sqlRun', machine, { mode, limit: limitMs, seed: retrySeed() })
}
