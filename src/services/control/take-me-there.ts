// Follows a path step by step in the running system and stops when a step does not have the expected result.
import type { AnyActorRef } from 'xstate'
import type { StateValue } from '../../trace/index.ts'
import { isIn } from './breakpoints.ts'
import type { Control } from './control.ts'
import type { PathStep } from './path-to.ts'

/** Options of `takeMeThere`. */
export interface TakeOptions {
  /** Returns the payload of an event. */
  readonly payload?: (step: PathStep) => Readonly<Record<string, unknown>>
  /** Called before each step, counted from 0. */
  readonly onStep?: (at: number) => void
  readonly signal?: AbortSignal
  /** Milliseconds to wait for an effect. Defaults to 10 s. */
  readonly timeoutMs?: number
}

/** Whether the target was reached or, if not, where and why it stopped. */
export type Arrival =
  | { readonly outcome: 'there' }
  | { readonly outcome: 'stopped'; readonly at: number; readonly reason: string }

/** Follows the path with the actor at this path. */
export async function takeMeThere(
  control: Control,
  path: string,
  steps: readonly PathStep[],
  options: TakeOptions = {},
): Promise<Arrival> {
  for (const [at, step] of steps.entries()) {
    if (options.signal?.aborted) return { outcome: 'stopped', at, reason: 'Stopped manually' }
    options.onStep?.(at)
    const ref = control.find(path)
    if (!ref) return { outcome: 'stopped', at, reason: `${path} has ended` }
    // Automatic transitions have already followed.
    const rest = steps.slice(at + 1)
    const following = rest.slice(0, rest.findIndex(({ means }) => means !== 'itself') >>> 0)
    const isThere = () => [step, ...following].some(one => isReached(ref, one))
    const isDone = step.means === 'itself' && isThere()
    const problem = isDone ? undefined : await take(control, path, ref, step, isThere, options)
    if (problem !== undefined) return { outcome: 'stopped', at, reason: problem }
  }
  return { outcome: 'there' }
}

async function take(
  control: Control,
  path: string,
  ref: AnyActorRef,
  step: PathStep,
  isThere: () => boolean,
  { payload, timeoutMs = 10_000, signal }: TakeOptions,
): Promise<string | undefined> {
  const { means, event, guard } = step
  if (means === 'send') control.send(path, { ...payload?.(step), type: event })
  if (means === 'timer' && !fire(control, path, step)) return `The timer of “${event}” is not set`
  if (means === 'effect' && !(await comes(ref, isThere, timeoutMs, signal))) return `${event} did not occur`
  if (isThere()) return undefined
  const reason =
    guard === undefined ? 'another transition was taken' : `its guard ${guard} may have returned false`
  return `${event} did not lead to ${step.targets.join(', ')}: ${reason}`
}

function fire(control: Control, path: string, { from, event }: PathStep): boolean {
  const delay = event.slice('after '.length)
  const timer = control.timers().find(({ actor, event: { type } }) => {
    return (
      actor === path &&
      type.startsWith(`xstate.after.${delay}.`) &&
      (from === '' || type.endsWith(`.${from}`))
    )
  })
  return timer !== undefined && control.time.fire(timer.number)
}

/** Waits for the result of an effect, up to the timeout. */
function comes(
  ref: AnyActorRef,
  isThere: () => boolean,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  return new Promise(resolve => {
    const end = () => {
      subscription.unsubscribe()
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve(isThere())
    }
    const subscription = ref.subscribe(() => {
      if (isThere()) end()
    })
    const timer = setTimeout(end, timeoutMs)
    signal?.addEventListener('abort', end, { once: true })
    if (isThere()) end()
  })
}

const isReached = (ref: AnyActorRef, { targets }: PathStep): boolean =>
  targets.every(target => isIn(valueOf(ref), target))

const valueOf = (ref: AnyActorRef): StateValue | undefined =>
  (ref.getSnapshot() as { readonly value?: StateValue } | undefined)?.value
