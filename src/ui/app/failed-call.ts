// What a failed call on data says to the user, and whether trying again by itself may help.
import { describeFailure, type Failure } from '../../index.ts'

export interface FailedCall {
  readonly message: string
  readonly retry: boolean
}

const PASSING: ReadonlySet<Failure['kind']> = new Set(['network', 'timeout', 'rateLimit', 'server'])
const SILENCE = 'The backend does not answer. Nothing was lost; trying again helps once it is back.'

/** @param error what a call of supabase-js gave as its error, or threw. */
export const explainCall = async (error: unknown, status?: number): Promise<FailedCall> => {
  const { kind, code, message } = await describeFailure(error, status)
  const isSilence = kind === 'network' && code === undefined
  return { message: isSilence ? SILENCE : message, retry: PASSING.has(kind) }
}
