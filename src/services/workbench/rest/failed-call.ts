// Message for a failed data call, and whether an automatic retry may help.
import { describeFailure, type Failure } from '../../client/index.ts'

export interface FailedCall {
  readonly message: string
  readonly retry: boolean
}

const PASSING: ReadonlySet<Failure['kind']> = new Set(['network', 'timeout', 'rateLimit', 'server'])
const SILENCE = 'The backend is not responding. Nothing was lost; try again once it is back.'

/** @param error the error that a supabase-js call returned or threw. */
export const explainCall = async (error: unknown, status?: number): Promise<FailedCall> => {
  const { kind, code, message } = await describeFailure(error, status)
  const isSilence = kind === 'network' && code === undefined
  return { message: isSilence ? SILENCE : message, retry: PASSING.has(kind) }
}
