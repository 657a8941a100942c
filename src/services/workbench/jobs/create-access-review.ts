// Reviews access: the machine with its port, which does one step after the other; recorded separately.
import type { SnapshotFrom } from 'xstate'
import type { Failure } from '../../../machines/index.ts'
import {
  type AccessReviewContext,
  accessReviewMachine,
  type StepEvent,
} from '../../../machines/workbench/access-review.ts'
import { AccessError } from '../../access/index.ts'
import { describeFailure } from '../../client/index.ts'
import { effect } from '../../runtime/index.ts'
import { type Job, retrySeed, runJob } from './run-job.ts'

export interface StepProgress {
  readonly done: number
  readonly total: number
}

export interface AccessReviewState extends Omit<AccessReviewContext, 'seed' | 'attempt' | 'delay'> {
  readonly phase: SnapshotFrom<typeof accessReviewMachine>['value']
}

export type AccessReviewJob = Job<typeof accessReviewMachine>

export const accessReviewState = ({
  value,
  context: { done, total, failure },
}: SnapshotFrom<typeof accessReviewMachine>): AccessReviewState => ({ phase: value, done, total, failure })

async function failureOf(error: unknown): Promise<Failure> {
  if (!(error instanceof AccessError)) return describeFailure(error)
  return { ...(await describeFailure(error, error.status)), message: error.message }
}

/** @param step does the next step; does it again after it failed */
export function createAccessReview(step: (signal: AbortSignal) => Promise<StepProgress>): AccessReviewJob {
  const reviewStep = effect<{ readonly attempt: number }, StepEvent>(async (_input, signal) => {
    try {
      const progress = await step(signal)
      return { type: 'step.done', ...progress }
    } catch (error) {
      signal.throwIfAborted()
      return { type: 'step.failed', failure: await failureOf(error) }
    }
  })
  const machine = accessReviewMachine.provide({ actors: { reviewStep } })
  return runJob('accessReview', machine, { seed: retrySeed() })
}
