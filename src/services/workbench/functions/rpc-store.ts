// State of one database function: the draft, the pending call, and the last response.
import { StateStore } from '../storage/state-store.ts'
import type { Failure } from '../../client/index.ts'
import {
  createFunctionCall,
  type FunctionCall,
  type FunctionCallOptions,
  functionCallState,
} from '../jobs/create-function-call.ts'
import type { CallSpec } from '../rest/call-spec.ts'
import type { RpcResponse } from './rpc-response.ts'
import type { RpcDraft } from './rpc-draft.ts'

export interface RpcState {
  readonly draft: RpcDraft
  /** Errors in the draft, by argument. */
  readonly errors: Readonly<Record<string, string>>
  readonly isPending: boolean
  readonly answer?: RpcResponse
}

/** Sends a call; `onStart` receives the request's id. Rejects only when aborted. */
export type SendRpc = (
  spec: CallSpec,
  signal: AbortSignal,
  onStart: (request: string) => void,
) => Promise<RpcResponse>

export interface RpcParts {
  /** Name of the function. */
  readonly name: string
  readonly send: SendRpc
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Called with the call's own recording. */
  readonly onCalled?: (job: FunctionCall) => void
}

const isUnderWay = ({ actor }: FunctionCall): boolean => {
  const { phase } = functionCallState(actor.getSnapshot())
  return phase === 'sending' || phase === 'receiving'
}

const UNKNOWN: Failure = { kind: 'network', message: 'No response.' }

const noTimings: FunctionCallOptions['measure'] = () => () => undefined

/** Lives as long as its client: a call may write, so its response is awaited on other pages too. */
export class RpcStore extends StateStore<RpcState> {
  readonly #parts: RpcParts
  #job: FunctionCall | undefined
  #began = 0

  constructor(draft: RpcDraft, parts: RpcParts) {
    super({ draft, errors: {}, isPending: false })
    this.#parts = parts
  }

  readonly change = (part: Partial<RpcDraft>): void =>
    this.update({ draft: { ...this.state().draft, ...part }, errors: {} })

  readonly refuse = (errors: RpcState['errors']): void => this.update({ errors })

  /** Makes the call; a pending one is aborted. */
  readonly call = (spec: CallSpec): void => {
    this.cancel()
    const { name, send, now, onCalled } = this.#parts
    this.#began = now()
    let answer: RpcResponse | undefined
    const call: FunctionCallOptions['call'] = async (report, signal) => {
      answer = await send(spec, signal, request => report({ type: 'call.requested', request }))
      const { status, text, failure: { kind, message } = UNKNOWN } = answer
      const end = { size: text.length, duration: this.#since() }
      if (status === 0) return report({ type: 'call.failed', failure: { kind, message }, ...end })
      report({ type: 'response.started', status, kind: 'json' })
      report({ type: 'response.ended', ...end })
    }
    const job = createFunctionCall({
      method: spec.method,
      name: `rpc/${name}`,
      as: 'user',
      call,
      measure: noTimings,
    })
    this.#job = job
    onCalled?.(job)
    const check = () => {
      if (job !== this.#job) return
      const isPending = isUnderWay(job)
      this.update({ isPending, ...(!isPending && answer && { answer }) })
    }
    job.actor.subscribe(check)
    check()
  }

  readonly cancel = (): void => {
    if (this.state().isPending) this.#job?.actor.send({ type: 'call.cancel', duration: this.#since() })
  }

  readonly #since = (): number => this.#parts.now() - this.#began
}
