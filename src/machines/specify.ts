// The specification of a machine: what its code cannot say. Documentation, checks, exploration, random runs, payload
// forms and replays are derived from it.
import type {
  AnyActorRef,
  AnyActorLogic,
  AnyEventObject,
  AnyMachineSnapshot,
  AnyStateMachine,
  ContextFrom,
  EventFromLogic,
  EventObject,
  InputFrom,
  OutputFrom,
  SnapshotFrom,
} from 'xstate'

type Payload<E extends EventObject, Type> = E extends { readonly type: infer T }
  ? Type extends T
    ? Omit<E, 'type'>
    : never
  : never

/** Examples by event type: payloads without the type, enough of them for every guard to return both true and false. */
export type Samples<E extends EventObject> = {
  readonly [Type in E['type']]: readonly Payload<E, Type>[]
}

/** Events that are not XState's own. */
type OwnEvent<E extends EventObject> = E extends { readonly type: `xstate.${string}` } ? never : E

/** Its actors, by name. */
type Actors<M extends AnyStateMachine> = Required<NonNullable<Parameters<M['provide']>[0]['actors']>>

/** What the type of a port says that it sends. XState's callbacks don't say it. */
type Sent<L> = L extends { readonly sends?: infer E extends EventObject } ? E : EventObject

/** Names of the child machines. */
type ChildName<M extends AnyStateMachine> = {
  [Name in keyof Actors<M>]: Actors<M>[Name] extends AnyStateMachine ? Name : never
}[keyof Actors<M>]

type PortName<M extends AnyStateMachine> = Exclude<keyof Actors<M>, ChildName<M>>

/** Whether a callback may send events that its type does not name. */
type HasOpenPort<M extends AnyStateMachine> = true extends {
  [Name in PortName<M>]: EventObject extends Sent<Actors<M>[Name]>
    ? Actors<M>[Name] extends AnyActorLogic
      ? [OutputFrom<Actors<M>[Name]>] extends [undefined]
        ? true
        : false
      : true
    : false
}[PortName<M>]
  ? true
  : false

/** What the ports send, as far as their types say it. */
type SentByPorts<M extends AnyStateMachine> = {
  [Name in PortName<M>]: EventObject extends Sent<Actors<M>[Name]> ? never : Sent<Actors<M>[Name]>['type']
}[PortName<M>]

/** Events from others than the ports. */
type Reported<M extends AnyStateMachine> = Exclude<OwnEvent<EventFromLogic<M>>['type'], SentByPorts<M>>
type ReportedSamples<M extends AnyStateMachine> = {
  readonly [Type in Reported<M>]: readonly Payload<EventFromLogic<M>, Type>[]
}

/** An actor that is not a machine. In random runs, it responds with any of its samples at any time. */
export interface PortSpec<E extends EventObject = AnyEventObject, Input = unknown, Output = unknown> {
  /** One sentence: what it does. */
  readonly about: string
  /** What it sends. */
  readonly sends?: Partial<Samples<E>>
  /** What it returns, as a promise; the first is the healthy one. Default: undefined. In random runs it always settles. */
  readonly outputs?: readonly Output[]
  /** What it fails with. Default: an `Error`, if a state handles errors of this port; `[]`: it never fails. */
  readonly errors?: readonly unknown[]
  /** The types of the events that it sends when all is well; the first sample of each. Default: it is silent. */
  readonly healthy?: E['type'] | readonly E['type'][] | ((input: Input) => E['type'] | readonly E['type'][])
  /**
   * Sends one of its events, once, since it has deadlines. Default: up to three, or none, and nothing more once all is
   * well if it runs since before.
   */
  readonly once?: boolean
  /** Types of events that come before the response; not sent by a port that responds once. */
  readonly progress?: readonly E['type'][]
  /** What it sends in response to an event that it receives, by the event's type. */
  readonly replies?: Readonly<Record<string, (event: AnyEventObject) => E>>
  /** Sends `healthy` again and again after this time, in milliseconds. */
  readonly interval?: (input: Input) => number
}

type PortSpecs<M extends AnyStateMachine> = {
  readonly [Name in PortName<M>]: Actors<M>[Name] extends AnyActorLogic
    ? EventObject extends Sent<Actors<M>[Name]>
      ? PortSpec<OwnEvent<EventFromLogic<M>>, InputFrom<Actors<M>[Name]>, OutputFrom<Actors<M>[Name]>>
      : PortSpec<Sent<Actors<M>[Name]>, InputFrom<Actors<M>[Name]>> & {
          readonly sends: Samples<Sent<Actors<M>[Name]>>
        }
    : PortSpec
}

/** A machine that another one starts. */
export interface ChildSpec<Output = unknown> {
  readonly spec: Spec
  /** What it may end with; enough for every guard. */
  readonly outputs?: readonly Output[]
}

type ChildSpecs<M extends AnyStateMachine> = {
  readonly [Name in ChildName<M>]: Actors<M>[Name] extends AnyActorLogic
    ? ChildSpec<OutputFrom<Actors<M>[Name]>>
    : never
}

/** Events that a machine ignores in some states on purpose. */
export interface Ignored<Type extends string = string> {
  readonly event: Type
  /** State paths; `a.*` matches all states within `a`, `*` all. None of them may handle the event. */
  readonly states: readonly string[]
  readonly reason: string
}

/** The parts that are the same for every machine; `specify` types the others. */
interface Common {
  /** One sentence about the machine. */
  readonly about: string
  /** The same event as if it were sent at another time: with another id, for example. `now` is in milliseconds. */
  readonly renew?: (event: AnyEventObject, n: number, now: number) => AnyEventObject
  /** The id of a caller that waits for an end since this event. */
  readonly awaits?: (event: AnyEventObject) => string | undefined
  /** The id of the caller that this event, reported or emitted, gives an end; each must get one. */
  readonly settles?: (event: AnyEventObject) => string | undefined
}

/** A machine's specification, whatever the machine. */
export interface Spec extends Common {
  readonly machine: AnyStateMachine
  readonly ports: Readonly<Record<string, PortSpec>>
  readonly children: Readonly<Record<string, ChildSpec>>
  readonly events: Readonly<Record<string, readonly object[]>>
  readonly raised: readonly string[]
  readonly randomEvents: readonly string[]
  readonly ignored: readonly Ignored[]
  readonly inputs: readonly unknown[]
  readonly randomInput: unknown
  readonly situation: (context: never) => unknown
  readonly skips: (event: AnyEventObject) => boolean
  readonly settling: readonly AnyEventObject[]
  readonly rests: (snapshot: AnyMachineSnapshot) => boolean
  readonly goal: (snapshot: AnyMachineSnapshot) => boolean
}

type SpecInput<M extends AnyStateMachine> = Common & {
  /**
   * Examples of the events that other actors, or the machine itself, send it. Those of callbacks are in `sends` of
   * their ports.
   */
  readonly events: HasOpenPort<M> extends true ? Partial<ReportedSamples<M>> : ReportedSamples<M>
  /** Types of the events that it sends itself. */
  readonly raised?: readonly Reported<M>[]
  /** Types of the events that random runs send it. Default: all but `raised`; the others come from its children. */
  readonly randomEvents?: readonly Reported<M>[]
  /** Also `error` and the name of a port, for errors that a state does not handle. */
  readonly ignored?: readonly Ignored<OwnEvent<EventFromLogic<M>>['type'] | `error ${string}`>[]
  /** How it starts: exploration starts with each of these. Default: without input. */
  readonly inputs?: readonly InputFrom<M>[]
  /** How random runs start. Default: the first input. */
  readonly randomInput?: InputFrom<M>
  /**
   * The part of the context that distinguishes situations for exploration, as a value, or as the names of its fields,
   * of which `briefly` is taken. The fewer values, the better. Default: nothing.
   */
  readonly situation?: ((context: ContextFrom<M>) => unknown) | readonly (keyof ContextFrom<M>)[]
  /** Events that exploration does not send, to limit the number of situations. */
  readonly skips?: (event: EventFromLogic<M>) => boolean
  /** Events that are sent at the end of a random run, when all ports are healthy. */
  readonly settling?: readonly OwnEvent<EventFromLogic<M>>[]
  /** Whether this is a state in which a random run may end. */
  readonly rests: (snapshot: SnapshotFrom<M>) => boolean
  /** Whether this is a state that every situation must be able to reach. Default: `rests`. */
  readonly goal?: (snapshot: SnapshotFrom<M>) => boolean
} & Group<'ports', PortSpecs<M>> &
  Group<'children', ChildSpecs<M>>

/** A field that is left out if it has nothing. */
type Group<Name extends string, Fields> = [keyof Fields] extends [never]
  ? { readonly [Key in Name]?: undefined }
  : string extends keyof Fields
    ? { readonly [Key in Name]?: Fields }
    : { readonly [Key in Name]: Fields }

/**
 * Specifies a machine. Types require a sample of each event, and a sentence for each port whose types say what it
 * sends.
 * @param machine with or without its ports' effects, which are never run
 */
export function specify<M extends AnyStateMachine>(
  machine: M,
  input: SpecInput<M>,
): Spec & { readonly machine: M } {
  const { raised = [], situation = [], inputs = [] } = input
  for (const [name, port] of Object.entries((input.ports ?? {}) as Readonly<Record<string, PortSpec>>))
    if ((port.outputs ?? port.errors) && port.sends)
      throw new TypeError(
        `${machine.id}: the port ${name} has outputs or errors, as a promise, and sends, as a callback.`,
      )
  return {
    ports: {},
    children: {},
    ignored: [],
    randomInput: inputs[0],
    skips: () => false,
    settling: [],
    goal: input.rests,
    randomEvents: Object.keys(input.events).filter(type => !(raised as readonly string[]).includes(type)),
    ...input,
    situation:
      typeof situation === 'function'
        ? situation
        : (context: ContextFrom<M>) => fields(context as object, ...(situation as readonly never[])),
    inputs: inputs.length === 0 ? [undefined] : inputs,
    raised,
    machine,
  } as unknown as Spec & { readonly machine: M }
}

/** Whether a machine has ended. */
export const hasEnded = ({ status }: AnyMachineSnapshot): boolean => status === 'done'

/** The values of some fields of a context; of lists and numbers, only whether they are empty or above zero. */
export const fields = <C extends object>(context: C, ...names: readonly (keyof C)[]): unknown[] =>
  names.map(name => briefly(context[name]))

/** The value itself; of lists and numbers, only whether they are empty or above zero. */
export const briefly = (value: unknown): unknown =>
  Array.isArray(value) ? value.length > 0 : typeof value === 'number' ? value > 0 : value

/** Whether a child of a machine is in a state in which its random runs may end. */
export const childRests = (child: AnyActorRef | undefined, { rests }: Spec): boolean =>
  child !== undefined && rests(child.getSnapshot() as AnyMachineSnapshot)
