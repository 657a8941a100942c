// Ports that respond with any sample at any time until calm begins, and then as when all is well.
import { type AnyActorLogic, type AnyEventObject, fromCallback, fromPromise } from 'xstate'
import { draw, type PortSpec, type Spec } from '../../machines/index.ts'
import type { Clock } from '../../services/runtime/index.ts'
import { promiseResults, type Results, sentByPort } from './samples.ts'

/** The current run; one composition of a machine serves many runs. */
export interface Run {
  clock: Clock
  isCalm: boolean
  seed: number
  /** Counts events, so that no id is issued twice. */
  count: number
}

/** Milliseconds until a port responds; it may respond at once, within its own start. */
const DELAYS = [0, 3, 60, 900, 8_000, 50_000]
/** Milliseconds until a healthy port responds. */
const CALM_DELAY = 10

/** An implementation of the port that responds with its samples. */
export function randomPort(run: Run, spec: Spec, name: string): AnyActorLogic {
  const port = spec.ports[name]
  if (!port) throw new Error(`${spec.machine.id} has no port ${name}.`)
  const results = promiseResults(spec, name)
  return results ? randomPromise(run, results) : randomCallback(run, spec, name, port)
}

function randomCallback(run: Run, spec: Spec, name: string, port: PortSpec): AnyActorLogic {
  const samples = sentByPort(spec, name)
  return fromCallback<AnyEventObject, unknown>(({ input, sendBack, receive }) => {
    const timers = new Set<unknown>()
    const schedule = (what: () => void, after: number) => timers.add(run.clock.setTimeout(what, after))
    const send = (event: AnyEventObject) => sendBack(renewed(run, spec, event))
    receive(event => {
      const reply = port.replies?.[event.type]?.(event)
      if (reply && (run.isCalm || below(run, 3) > 0)) schedule(() => send(reply), 5)
    })
    const healthy = healthyEvents(port, samples, input)
    const interval = port.interval?.(input)
    if (interval !== undefined) {
      const repeat = () => {
        healthy.forEach(send)
        schedule(repeat, interval)
      }
      schedule(repeat, interval)
    } else if (run.isCalm) for (const event of healthy) schedule(() => send(event), CALM_DELAY)
    else {
      const types = Object.keys(samples).filter(type => !(port.once && port.progress?.includes(type)))
      for (let n = port.once ? 1 : below(run, 4); n > 0 && types.length > 0; n--) {
        const event = pick(run, samples[pick(run, types)] ?? [])
        const after = pick(run, DELAYS)
        if (after === 0) send(event)
        else schedule(() => send(event), after)
      }
    }
    return () => {
      for (const timer of timers) run.clock.clearTimeout(timer)
    }
  })
}

function healthyEvents(
  { healthy }: PortSpec,
  samples: ReturnType<typeof sentByPort>,
  input: unknown,
): AnyEventObject[] {
  const types = typeof healthy === 'function' ? healthy(input) : (healthy ?? [])
  return [types].flat().flatMap(type => samples[type]?.slice(0, 1) ?? [])
}

/** XState's own events of promises. */
const RESOLVED = 'xstate.promise.resolve'
const REJECTED = 'xstate.promise.reject'

/** A promise that settles by the run's clock, within the step of its timer. */
function randomPromise(run: Run, { outputs, errors }: Results): AnyActorLogic {
  const pending = fromPromise(() => new Promise<unknown>(() => undefined))
  const timers = new WeakMap<object, unknown>()
  type Scope = Parameters<typeof pending.transition>[2]
  return {
    ...pending,
    transition(state: Parameters<typeof pending.transition>[0], event: AnyEventObject, scope: Scope) {
      if (event.type === 'xstate.stop') run.clock.clearTimeout(timers.get(scope.self))
      return pending.transition(state, event, scope)
    },
    start(state: Parameters<typeof pending.transition>[0], { self }: Scope) {
      if (state.status !== 'active') return
      const results = [
        ...outputs.map(data => ({ type: RESOLVED, data })),
        ...errors.map(data => ({ type: REJECTED, data })),
      ]
      const result = run.isCalm ? results[0] : pick(run, results)
      const after = run.isCalm ? CALM_DELAY : pick(run, DELAYS)
      if (result)
        timers.set(
          self,
          run.clock.setTimeout(() => self.send(result), after),
        )
    },
  } as unknown as AnyActorLogic
}

/** The event as if it were sent now. */
export const renewed = (run: Run, { renew }: Spec, event: AnyEventObject): AnyEventObject =>
  renew ? renew(event, ++run.count, run.clock.now()) : event

function below(run: Run, n: number): number {
  const { value, seed } = draw(run.seed)
  run.seed = seed
  return Math.floor(value * n)
}

const pick = <T>(run: Run, items: readonly T[]): T => items[below(run, items.length)] as T
