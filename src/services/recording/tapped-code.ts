// Wraps the app's own code to record which actor runs it and which call it is.
import type { AnyActorLogic, AnyActorRef, Observer } from 'xstate'
import type { Phase } from '../../trace/index.ts'
import type { Viewer } from './actor-viewer.ts'
import type { Registry } from './actor-registry.ts'
import { type CodeHook, type CustomAction, tapLeaf } from './capture.ts'
import type { CodeFrames } from './code-frames.ts'
import type { ActorRecord } from './actor-record.ts'
import type { Frame } from './tap-parts.ts'

/** Creates the hook for the code of every actor. The same code always gets the same wrapper. */
export function tappedCode(
  registry: Registry,
  frames: CodeFrames,
  viewer: Pick<Viewer, 'addOutput'> | undefined,
): CodeHook {
  const leaves = new WeakMap<AnyActorLogic, AnyActorLogic>()
  const actions = new WeakMap<CustomAction, CustomAction>()
  const hook: CodeHook = {
    next: (self: AnyActorRef, phase: Phase) => registry.of(self).counts[phase]++,
    around: (self, phase, n, code) => frames.inside({ in: registry.of(self), phase, n }, code),
    rerun: code => frames.rerun(code),
    emitting: (self, value) => viewer?.addOutput(registry.of(self), { kind: 'emit', value }),
    observers: (self): Set<Observer<unknown>> => new TappedObservers(registry.of(self), frames),
    leaf(logic) {
      const known = leaves.get(logic)
      if (known) return known
      const tapped = tapLeaf(logic, hook)
      leaves.set(logic, tapped)
      return tapped
    },
    action(exec = nothing) {
      const known = actions.get(exec)
      if (known) return known
      const tapped: CustomAction = (info, params) => {
        const self = registry.of(info.self)
        frames.inside({ in: self, phase: 'action', n: self.counts.action++ }, () => exec(info, params))
      }
      actions.set(exec, tapped)
      return tapped
    },
  }
  return hook
}

const nothing: CustomAction = () => undefined

/** Runs every observer as a call of the app's code. */
class TappedObservers extends Set<Observer<unknown>> {
  readonly #self: ActorRecord
  readonly #frames: CodeFrames

  constructor(self: ActorRecord, frames: CodeFrames) {
    super()
    this.#self = self
    this.#frames = frames
  }

  /** XState iterates over the observers once per notification. */
  override [Symbol.iterator](): SetIterator<Observer<unknown>> {
    const n = this.#self.counts.snapshot++
    return this.size === 0 ? NOBODY : this.#round({ in: this.#self, phase: 'snapshot', n })
  }

  *#round(frame: Frame): SetIterator<Observer<unknown>> {
    for (const observer of super[Symbol.iterator]()) yield this.#tapped(observer, frame)
  }

  #tapped({ next, error, complete }: Observer<unknown>, frame: Frame): Observer<unknown> {
    const run = (code: () => void) => this.#frames.inside(frame, code)
    return {
      ...(next && { next: (value: unknown) => run(() => next(value)) }),
      ...(error && { error: (reason: unknown) => run(() => error(reason)) }),
      ...(complete && { complete: () => run(() => complete()) }),
    }
  }
}

/** Most actors have no observers, so their iteration is empty. */
const NOBODY = new Set<Observer<unknown>>().values()
for (const _ of NOBODY);
