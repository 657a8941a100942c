// Machines and ports broken on purpose, in one way each: an invariant must fail on them.
import { enqueueActions, sendParent, type AnyActorLogic, type AnyStateMachine } from 'xstate'

type Implementations = Parameters<AnyStateMachine['provide']>[0]

/** The same system with a machine inside it altered; `path` names it from the root, e.g. `requests.request`. */
export function altered(
  machine: AnyStateMachine,
  path: string,
  alter: (inner: AnyStateMachine) => AnyStateMachine,
): AnyStateMachine {
  const [name, ...rest] = path.split('.')
  if (name === undefined || name === '') return alter(machine)
  const inner = machine.implementations.actors[name] as AnyStateMachine
  return machine.provide({ actors: { [name]: altered(inner, rest.join('.'), alter) } })
}

export type Mutant = (machine: AnyStateMachine) => AnyStateMachine

const mutant =
  (path: string, implementations: Implementations): Mutant =>
  machine =>
    altered(machine, path, inner => inner.provide(implementations))

/** Each refresh is sent twice. */
export const refreshesTwice: Mutant = mutant('refresh', {
  actions: {
    notifyParent: enqueueActions(({ context, enqueue }, event: { type: string }) => {
      enqueue(sendParent(event))
      if (event.type !== 'token.refreshing') return
      const { timings, token } = context as { timings: unknown; token: unknown }
      enqueue.spawnChild('attempt', { id: 'impatient', input: { timings, token, mode: 'refresh' } })
    }),
  },
})

/** Requests ignore the gate. */
export const sendsAtOnce: Mutant = mutant('requests.request', {
  guards: {
    isBlockedBy: (_: unknown, { blocker }: { blocker: string }) => blocker === 'none',
    isGateSettled: () => true,
    isBlocked: () => false,
    canSend: ({ context }: { context: { granted: boolean } }) => context.granted,
  },
})

/** The expiry of a token is ignored. */
export const neverExpires: Mutant = mutant('', { actions: { closeGate: () => undefined } })

/** A request's end is reported twice. */
export const tellsTwice: Mutant = mutant('requests', {
  actions: {
    settle: enqueueActions(({ enqueue }, { output }: { output: unknown }) => {
      const report = { type: 'request.settled', output }
      enqueue(sendParent(report))
      enqueue(sendParent(report))
    }),
  },
})

/** An aborted request is dropped without an outcome. */
export const dropsAborted: Mutant = mutant('requests', {
  actions: {
    abort: enqueueActions(({ context, enqueue }, { id }: { id: string }) => {
      const { [id]: _dropped, ...requests } = (context as { requests: Record<string, unknown> }).requests
      enqueue.stopChild(`request.${id}`)
      enqueue.assign({ requests })
    }),
  },
})

/** Any failed refresh counts as a terminal response. */
export const givesUpAtOnce: Mutant = mutant('refresh.attempt', { guards: { isTerminal: () => true } })

/** Once the socket is lost, there is no retry within the day. */
export const reconnectsTomorrow: Mutant = mutant('realtime.connection', {
  delays: { retryDelay: () => 86_400_000 },
})

/** A port that keeps running after it is stopped. */
export const neverStops =
  (path: string, port: string): Mutant =>
  machine =>
    altered(machine, path, inner => {
      const logic = inner.implementations.actors[port] as AnyActorLogic
      const deaf: AnyActorLogic = {
        ...logic,
        transition: (snapshot, event, scope) =>
          event.type === 'xstate.stop'
            ? { ...snapshot }
            : (logic.transition(snapshot, event, scope) as unknown),
      }
      return inner.provide({ actors: { [port]: deaf } })
    })
