// The hooks of @xstate/react that create actors, with the same signatures: below `<Recorded>`, what they create is
// recorded. Everywhere else they are the hooks of @xstate/react.
import * as xstate from '@xstate/react'
import {
  createContext,
  createElement,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import type { Actor, ActorOptions, AnyActorLogic, Snapshot } from 'xstate'
import { record, type Recording } from '../../services/recording/index.ts'

/** That of @xstate/react. */
export const shallowEqual: typeof xstate.shallowEqual = xstate.shallowEqual

/** That of @xstate/react. */
export const useSelector: typeof xstate.useSelector = xstate.useSelector

/** Creates a recorded actor: `record` of `@chartroom/devtools/recording`, or `attach` of `@chartroom/devtools/console`. */
export type RecordActor = <L extends AnyActorLogic>(
  logic: L,
  options?: ActorOptions<L>,
) => { readonly actor: Actor<L>; readonly start?: () => void; readonly stop?: () => void }

/** Properties of `Recorded`. */
export interface RecordedProps {
  readonly children?: ReactNode
  /** False records nothing, for example in production. A change affects components that mount later. */
  readonly enabled?: boolean
  /** Called with each recording when its actor starts. Only without `by`. */
  readonly onRecording?: (recording: Recording) => void
  /** Creates the actors instead of `record`: pass `attach` to control them in the console, too. */
  readonly by?: RecordActor
}

const RecorderContext = createContext<RecordActor | undefined>(undefined)

/** Records the actors that the hooks of this package create in the components below it. */
export function Recorded({ children, enabled = true, onRecording, by }: RecordedProps): ReactNode {
  const recorder = useMemo(
    () => (enabled ? (by ?? recordWith(recording => onRecording?.(recording))) : undefined),
    [enabled, by, onRecording],
  )
  return createElement(RecorderContext.Provider, { value: recorder }, children)
}

const recordWith =
  (onRecording: (recording: Recording) => void): RecordActor =>
  (logic, options) => {
    const recording = record(logic, options)
    let isReported = false
    return {
      actor: recording.actor,
      stop: recording.stop,
      start() {
        recording.start()
        if (!isReported) onRecording(recording as unknown as Recording)
        isReported = true
      },
    }
  }

type Options = ActorOptions<AnyActorLogic> | undefined
type Listener = (snapshot: unknown) => void

/** A recorded actor of a component. */
interface RecordedActor {
  readonly actor: Actor<AnyActorLogic>
  /** Whether the logic is the same, but for implementations that close over props; it is another one after a hot update. */
  readonly isOf: (logic: AnyActorLogic) => boolean
  /** Takes the implementations of the last render. */
  readonly implement: (logic: AnyActorLogic) => void
  /** The state from which another actor continues. */
  readonly persisted: () => Snapshot<unknown>
  /**
   * Starts the actor. Returns a function that stops it.
   * @param replace called instead, with an actor that continues, if this one was stopped
   */
  readonly run: (replace: (next: RecordedActor) => void) => () => void
}

const configOf = (logic: AnyActorLogic): unknown => (logic as { readonly config?: unknown }).config

/** An actor as XState's own hooks persist it: machines may have actors inline, which XState refuses otherwise. */
interface Persistable {
  getPersistedSnapshot(options: { readonly __unsafeAllowInlineActors: true }): Snapshot<unknown>
}

function createRecorded(
  recorder: RecordActor,
  logic: AnyActorLogic,
  options: Options,
  snapshot?: Snapshot<unknown>,
): RecordedActor {
  const { actor, start, stop } = recorder(logic, snapshot ? ({ ...options, snapshot } as Options) : options)
  const config = configOf(logic)
  let isStopping = false
  let last: Snapshot<unknown> | undefined
  const persisted = () =>
    (actor as unknown as Persistable).getPersistedSnapshot({ __unsafeAllowInlineActors: true })
  const end = () => {
    if (!isStopping) return
    const { status } = actor.getSnapshot() as Snapshot<unknown>
    if (status === 'active') last = persisted()
    if (stop) stop()
    else actor.stop()
  }
  return {
    actor,
    isOf: other => configOf(other) === config,
    implement(other) {
      if ('implementations' in other)
        (actor as unknown as { logic: { implementations: unknown } }).logic.implementations =
          other.implementations
    },
    persisted,
    run(replace) {
      if (last) {
        // React has shown a component again that it had hidden.
        replace(createRecorded(recorder, logic, options, last))
        return () => undefined
      }
      isStopping = false
      if (start) start()
      else actor.start()
      return () => {
        isStopping = true
        // StrictMode runs each effect twice: the actor just continues, so that there is one recording of it.
        queueMicrotask(end)
      }
    },
  }
}

/** Implementations that close over props are those of the last render. */
const useIsomorphicLayoutEffect: typeof useEffect = (...given) =>
  // A server has no layout, and React warns there.
  (typeof document === 'undefined' ? useEffect : useLayoutEffect)(...given)

/** @param listener subscribed before the start, so that it receives the first snapshot */
function useRecordedRef(
  recorder: RecordActor,
  logic: AnyActorLogic,
  options: Options,
  listener?: Listener,
): Actor<AnyActorLogic> {
  const [created, setCreated] = useState(() => createRecorded(recorder, logic, options))
  const own = created.isOf(logic) ? created : createRecorded(recorder, logic, options, created.persisted())
  if (own !== created) setCreated(own)
  useIsomorphicLayoutEffect(() => own.implement(logic))
  useEffect(() => {
    if (!listener) return
    const { unsubscribe } = own.actor.subscribe(listener)
    return unsubscribe
  }, [own, listener])
  useEffect(() => own.run(setCreated), [own])
  return own.actor
}

/** The hooks that create actors. */
interface Hooks {
  readonly useActorRef: (logic: AnyActorLogic, options?: Options, listener?: Listener) => Actor<AnyActorLogic>
  readonly useActor: (
    logic: AnyActorLogic,
    options?: Options,
  ) => [snapshot: unknown, send: Actor<AnyActorLogic>['send'], actor: Actor<AnyActorLogic>]
}

const recordedHooks = (recorder: RecordActor): Hooks => ({
  useActorRef: (logic, options, listener) => useRecordedRef(recorder, logic, options, listener),
  useActor(logic, options) {
    const actor = useRecordedRef(recorder, logic, options)
    const snapshot = xstate.useSelector(actor, (now: unknown) => now)
    return [snapshot, actor.send, actor]
  },
})

/** Those for the place of a component when it was mounted: it calls the same ones in each render. */
function useHooks(logic: AnyActorLogic): Hooks {
  const recorder = useContext(RecorderContext)
  const [hooks] = useState(() =>
    // The hooks of XState explain what is wrong with an actor in place of its logic.
    recorder && !('send' in logic) ? recordedHooks(recorder) : (xstate as unknown as Hooks),
  )
  return hooks
}

type UseActorRef = typeof xstate.useActorRef

/** Like `useActorRef` of `@xstate/react`; the actor is recorded below `<Recorded>`. */
export const useActorRef: UseActorRef = ((logic: AnyActorLogic, options?: Options, listener?: Listener) => {
  const { useActorRef: useHook } = useHooks(logic)
  return useHook(logic, options, listener)
}) as UseActorRef

type UseActor = typeof xstate.useActor

/** Like `useActor` of `@xstate/react`; the actor is recorded below `<Recorded>`. */
export const useActor: UseActor = ((logic: AnyActorLogic, options?: Options) => {
  const { useActor: useHook } = useHooks(logic)
  return useHook(logic, options)
}) as UseActor

/** Like `useMachine` of `@xstate/react`; the actor is recorded below `<Recorded>`. */
export const useMachine: typeof xstate.useMachine = useActor as typeof xstate.useMachine

type CreateActorContext = typeof xstate.createActorContext

/** Like `createActorContext` of `@xstate/react`; the actor is recorded below `<Recorded>`. */
export const createActorContext: CreateActorContext = ((logic: AnyActorLogic, options?: Options) => {
  const Context = createContext<Actor<AnyActorLogic> | undefined>(undefined)
  const Provider = (props: {
    readonly children: ReactNode
    readonly options?: Options
    readonly logic?: AnyActorLogic
    readonly machine?: never
  }) => {
    if (props.machine) throw new Error('`machine` is not supported any more; use `logic`.')
    const actor = useActorRef(props.logic ?? logic, { ...options, ...props.options } as never)
    return createElement(Context.Provider, { value: actor }, props.children)
  }
  Provider.displayName = 'ActorProvider'
  const useContextActor = () => {
    const actor = useContext(Context)
    if (!actor) throw new Error('The hooks of createActorContext need their <Provider> above them.')
    return actor
  }
  return {
    Provider,
    useActorRef: useContextActor,
    useSelector: <T,>(select: (snapshot: unknown) => T, compare?: (one: T, other: T) => boolean) =>
      xstate.useSelector(useContextActor(), select, compare),
  }
}) as unknown as CreateActorContext
