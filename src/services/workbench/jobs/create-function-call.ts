// Runs a function call: the machine with its ports, which the functions page provides; recorded separately.
import { fromCallback, type EventObject, type NonReducibleUnknown, type SnapshotFrom } from 'xstate'
import {
  type CallEvent,
  type FunctionCallContext,
  type FunctionCallInput,
  functionCallMachine,
  type NetworkEvent,
  type NetworkTimings,
} from '../../../machines/workbench/function-call.ts'
import { effect } from '../../runtime/index.ts'
import { type Job, runJob } from './run-job.ts'

export interface FunctionCallOptions extends FunctionCallInput {
  /**
   * Sends the call and reports its progress; headers and bodies stay with the caller. Stop when the signal
   * aborts.
   */
  readonly call: (send: (event: CallEvent) => void, signal: AbortSignal) => Promise<void>
  /** Reports the browser's network timings. @returns an unsubscribe function */
  readonly measure: (send: (timings: NetworkTimings) => void) => () => void
}

export type FunctionCallPhase = 'sending' | 'receiving' | 'done' | 'failed' | 'canceled'

/** State of a call. */
export interface FunctionCallState extends FunctionCallContext {
  readonly phase: FunctionCallPhase
}

export type FunctionCall = Job<typeof functionCallMachine>

export const functionCallState = ({
  value,
  context,
}: SnapshotFrom<typeof functionCallMachine>): FunctionCallState => ({ ...context, phase: phaseOf(value) })

/** Sends the call. */
export function createFunctionCall({ call, measure, ...input }: FunctionCallOptions): FunctionCall {
  const callFunction = effect<NonReducibleUnknown, CallEvent>(async (_, signal, send) => {
    await call(send, signal)
    return undefined
  })
  const measureNetwork = fromCallback<EventObject, NonReducibleUnknown, NetworkEvent>(({ sendBack }) =>
    measure(timings => sendBack({ type: 'network.measured', timings })),
  )
  const machine = functionCallMachine.provide({ actors: { callFunction, measureNetwork } })
  return runJob('functionCall', machine, input)
}

type Value = SnapshotFrom<typeof functionCallMachine>['value']

/** Later browser measurements do not matter to the caller. */
function phaseOf(value: Value): FunctionCallPhase {
  if (typeof value === 'string') return value
  return value.running === 'measuring' ? 'done' : value.running.calling
}
