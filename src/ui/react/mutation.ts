// Writes as React state: sent by the app, never twice on their own, with what is known of their outcome.
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type {
  ChartroomClient,
  ClientStatus,
  DataClient,
  Failure,
  RequestOptions,
  Result,
} from '../../services/client/index.ts'
import { dataOf, type DataOf, describeAnswer } from '../../services/query/index.ts'
import { useProvided, useStatus } from './client.ts'
import { identityOf } from './request-cache.ts'

/**
 * Makes the call. Called once for each `mutate`.
 * @param supabase the data client, with the access of the options
 */
export type RunMutation<Input, Answer, Database = unknown> = (
  supabase: DataClient<Database>,
  input: Input,
) => PromiseLike<Answer>

/** Options of `useMutation`. */
export type MutationOptions = Pick<RequestOptions, 'access' | 'priority' | 'timeout' | 'deadline'>

/**
 * What is known of a write that failed. `notSent`: nothing has left this device. `refused`: the backend answered that it
 * did not make it. `unknown`: it may have been made, since no answer has arrived: read before you send it again.
 */
export type MutationOutcome = 'notSent' | 'refused' | 'unknown'

/** State of a write, as `useMutation` returns it. */
export interface Mutation<Input, Data> {
  /**
   * Sends the write. Resolves with its data or its failure, and never rejects. A write that is under way goes on; the
   * state is that of the last one.
   */
  readonly mutate: (input: Input) => Promise<Result<Data>>
  readonly phase: 'idle' | 'pending' | 'done' | 'failed'
  /** Why a pending write is not sent yet: the stored session is being read, or the user's token is being replaced. */
  readonly waitsFor: 'session' | 'token' | undefined
  /** Data of the response. */
  readonly data: Data | undefined
  /** What the call threw or returned as its error. */
  readonly error: unknown
  /** The same error in terms that an app can act on. */
  readonly failure: Failure | undefined
  /** What is known of a write that failed. */
  readonly outcome: MutationOutcome | undefined
  /** Back to `idle`. A write that is under way goes on, and is not shown. */
  readonly reset: () => void
}

type State = Pick<Mutation<never, unknown>, 'phase' | 'data' | 'error' | 'failure' | 'outcome'>

const IDLE: State = {
  phase: 'idle',
  data: undefined,
  error: undefined,
  failure: undefined,
  outcome: undefined,
}
const PENDING: State = { ...IDLE, phase: 'pending' }

/**
 * Sends writes on request, and shows the state of the last one. A write is not sent again on its own, and goes
 * on when the component unmounts. When another user signs in, the state is `idle` again. `run` may be an inline function.
 */
export function useMutation<Input, Answer, Database = unknown>(
  run: RunMutation<Input, Answer, Database>,
  options: MutationOptions = {},
): Mutation<Input, DataOf<Answer>> {
  const { client } = useProvided()
  const mutation = useMemo(() => createMutation(client), [client])
  useEffect(() => {
    mutation.setOptions({ run: run as RunMutation<unknown, unknown>, options })
  })
  useEffect(() => mutation.open(), [mutation])
  const state = useSyncExternalStore(mutation.subscribe, mutation.state, idle)
  const waitsFor = useStatus(waitingIn)
  const { mutate, reset } = mutation
  return {
    ...state,
    data: state.data as DataOf<Answer> | undefined,
    waitsFor: state.phase === 'pending' ? waitsFor : undefined,
    mutate: mutate as (input: Input) => Promise<Result<DataOf<Answer>>>,
    reset,
  }
}

const idle = () => IDLE

/** What requests wait for. */
function waitingIn({ session }: ClientStatus): 'session' | 'token' | undefined {
  if (session.phase === 'booting') return 'session'
  return session.phase === 'authenticated' && session.token.state === 'expired' ? 'token' : undefined
}

interface Given {
  readonly run: RunMutation<unknown, unknown>
  readonly options: MutationOptions
}

function createMutation(client: ChartroomClient) {
  const listeners = new Set<() => void>()
  let given: Given | undefined
  let state = IDLE
  /** The write whose state is shown. */
  let shown: object | undefined
  /** Known once it is mounted: a render must not start the client. */
  let identity: ReturnType<typeof identityOf>

  const show = (next: State) => {
    state = next
    for (const listener of listeners) listener()
  }
  const reset = () => {
    shown = undefined
    if (state !== IDLE) show(IDLE)
  }
  const send = async (input: unknown): Promise<unknown> => {
    if (!given) throw new Error('Call `mutate` in an event handler or an effect, not while rendering')
    return dataOf(given.run(client.with(given.options), input))
  }
  return {
    state: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    setOptions: (next: Given) => void (given = next),
    /** Follows the user until the returned function is called. */
    open() {
      const follow = () => {
        const last = identity
        identity = identityOf(client.status())
        // The user of a write that began during the boot is the one that it finds.
        if (identity !== last && last !== undefined) reset()
      }
      follow()
      return client.onStatus(follow)
    },
    reset,
    async mutate(input: unknown): Promise<Result<unknown>> {
      const own = (shown = {})
      const settle = (next: State) => {
        if (shown === own) show(next)
      }
      show(PENDING)
      try {
        const data = await send(input)
        settle({ ...IDLE, phase: 'done', data })
        return { ok: true, value: data }
      } catch (error) {
        const failure = await describeAnswer(error)
        settle({ ...IDLE, phase: 'failed', error, failure, outcome: outcomeOf(failure) })
        return { ok: false, failure }
      }
    },
  }
}

/** Codes of failures before a request is sent. */
const NOT_SENT: ReadonlySet<string | undefined> = new Set([
  'blocked_offline',
  'no_live_token',
  'not_ready',
  'not_signed_in',
  'session_ended',
  'signed_out',
])

/** Responses of gateways that say nothing about what is behind them. */
const OF_GATEWAYS: ReadonlySet<number> = new Set([502, 504, 520, 521, 522, 523, 524, 525, 526, 530])

const ANSWERED: ReadonlySet<Failure['kind']> = new Set([
  'forbidden',
  'notFound',
  'conflict',
  'validation',
  'rateLimit',
  'storage',
  'function',
  'apiKey',
  'auth',
])

/** What is known of a write that failed like this. */
function outcomeOf({ kind, code, status }: Failure): MutationOutcome {
  if (NOT_SENT.has(code) && status === undefined) return 'notSent'
  // The auth server refuses the key, so that there was no token.
  if (kind === 'apiKey' && status === undefined) return 'notSent'
  if (status !== undefined) return OF_GATEWAYS.has(status) ? 'unknown' : 'refused'
  return ANSWERED.has(kind) ? 'refused' : 'unknown'
}
