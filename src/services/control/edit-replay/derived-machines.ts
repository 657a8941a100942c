// The machines that `provide` derived from others: an edit of the config changes all of them.
import { type AnyStateMachine, StateMachine } from 'xstate'

/** By config, which a machine shares with those that are derived from it. */
const derived = new WeakMap<object, Set<WeakRef<AnyStateMachine>>>()

/** A component may derive a machine at each of its renderings. */
const CHECK_EVERY = 64

let isTracking = false

/** Remembers each machine that `provide` derives from now on. Call this before the app creates its machines. */
export function trackDerivedMachines(): void {
  if (isTracking) return
  isTracking = true
  const prototype = StateMachine.prototype as unknown as Pick<AnyStateMachine, 'provide'>
  const { provide } = prototype
  prototype.provide = function (this: AnyStateMachine, implementations) {
    const machine = provide.call(this, implementations)
    remember(machine)
    return machine
  }
}

function remember(machine: AnyStateMachine): void {
  const copies = derived.get(machine.config) ?? new Set()
  derived.set(machine.config, copies)
  copies.add(new WeakRef(machine))
  if (copies.size % CHECK_EVERY > 0) return
  for (const ref of copies) if (ref.deref() === undefined) copies.delete(ref)
}

/** Returns the machine and those that are derived from it and still in use. */
export function withDerived(machine: AnyStateMachine): AnyStateMachine[] {
  const refs = [...(derived.get(machine.config) ?? [])]
  return [...new Set([machine, ...refs.flatMap(ref => ref.deref() ?? [])])]
}
