// Message for a failed call, and whether an automatic retry may help; loads before the sign-in.
import { describeFailure, type Failure } from '../../client/index.ts'

export interface FailedCall {
  readonly message: string
  /** An automatic retry may help. */
  readonly retry: boolean
}

const PASSING: ReadonlySet<Failure['kind']> = new Set(['network', 'timeout', 'rateLimit', 'server'])
const SILENCE = 'The backend is not responding. Nothing was lost; try again once it is back.'

/** The device has no network, so the backend was not reached. */
export const OFFLINE: FailedCall = {
  message: 'You’re offline. Nothing was lost; it is sent once you are back online.',
  retry: true,
}

export const explainFailure = ({ kind, code, message }: Failure): FailedCall => ({
  message: kind === 'network' && code === undefined ? SILENCE : message,
  retry: PASSING.has(kind),
})

/** @param error the error that a call returned or threw. */
export const explainCall = async (error: unknown, status?: number): Promise<FailedCall> =>
  explainFailure(await describeFailure(error, status))
