// What the console controls: a control in this page, or one in another tab over a channel.
import { remoteAnswerMachine } from '../../../machines/console/remote-answer.ts'
import {
  type ArmedTimer,
  type BreakOn,
  type Breakpoint,
  type Control,
  type ControlHandle,
  type ControlState,
  type Fault,
  type FaultKind,
  type NetworkContents,
  type PathStep,
  takeMeThere,
  type Taken,
} from '../../../services/control/index.ts'
import { startMachine } from '../../../services/runtime/index.ts'

/** A running actor. */
export type Living = Omit<ReturnType<Control['actors']>[number], 'ref'>

/** Synchronous in this page, asynchronous from another tab. */
export type Soon<T> = T | Promise<T>

export interface GoOptions {
  readonly signal: AbortSignal
  readonly onStep: (at: number) => void
  /** Payload for the event of each step. */
  readonly payloads: readonly Readonly<Record<string, unknown>>[]
}

/** The operations the control panel uses. */
export interface Driven {
  readonly subscribe: (listener: () => void) => () => void
  readonly state: () => ControlState
  /**
   * Registers an observer; returns a function that unregisters it. Without observers the system runs freely
   * and its breakpoints are inactive, because no user would see why it is paused.
   */
  attend(): () => void
  hold(): void
  step(): void
  release(): void
  /** Returns false if there is no such actor. */
  send(path: string, event: { readonly type: string }): Soon<boolean>
  /** Returns false if there is no such effect, or it cannot emit this event. */
  emitAs(path: string, event: { readonly type: string }): Soon<boolean>
  actors(): readonly Living[]
  timers(): readonly ArmedTimer[]
  /** Rejects if the breakpoint cannot be watched. */
  breakOn(where: BreakOn, from?: number): Promise<unknown>
  changeBreakpoint(id: number, change: Partial<Pick<Breakpoint, 'isOn' | 'from' | 'hits'>>): void
  removeBreakpoint(id: number): void
  readonly faults: {
    set(fault: Fault): void
    clear(kind?: FaultKind): void
    /** Returns how many sockets were open. */
    killSockets(): Soon<number>
  }
  readonly time: {
    readonly ahead: number
    setSpeed(speed: number): void
    toReal(): void
    toNextDeadline(): void
    fire(number: number): void
    skip(number: number): void
  }
  takeMeThere(path: string, steps: readonly PathStep[], options: GoOptions): Promise<Taken>
  /** What requests and sockets carry; undefined from another tab, which must not receive it. */
  readonly network?: NetworkContents
}

/** The control interface passed to the console. */
export interface DrivenBy {
  /** Loads the control; returns the same object every time. */
  readonly open: () => Promise<Control | Driven>
  /** Machine logic known in this page, by system name. */
  readonly systems: ControlHandle['systems']
}

const wrapped = new WeakMap<Control, Driven>()

/** Wraps a local or remote control; returns the same object for the same control. */
export function driven(control: Control | Driven): Driven {
  if (!('find' in control)) return control
  const known = wrapped.get(control)
  if (known) return known
  const made: Driven = {
    subscribe: control.subscribe,
    state: control.state,
    attend: attending(control),
    hold: () => control.hold(),
    step: () => control.step(),
    release: () => control.release(),
    send: (path, event) => control.send(path, event),
    emitAs: (path, event) => control.emitAs(path, event),
    actors: () => control.actors(),
    timers: () => control.timers(),
    breakOn: async (where, from) => control.breakOn(where, from),
    changeBreakpoint: (id, change) => control.changeBreakpoint(id, change),
    removeBreakpoint: id => control.removeBreakpoint(id),
    faults: {
      set: fault => void control.faults.set(fault),
      clear: kind => control.faults.clear(kind),
      killSockets: () => control.faults.killSockets(),
    },
    time: control.time,
    network: control.network,
    takeMeThere: (path, steps, { payloads, ...options }) =>
      takeMeThere(control, path, steps, { ...options, payload: step => payloads[steps.indexOf(step)] ?? {} }),
  }
  wrapped.set(control, made)
  return made
}

function attending(control: Control): Driven['attend'] {
  const present = new Set<object>()
  let resting: readonly number[] = []
  const turn = (ids: readonly number[], isOn: boolean) =>
    ids.forEach(id => control.changeBreakpoint(id, { isOn }))
  const leave = (who: object) => {
    if (!present.delete(who) || present.size > 0) return
    resting = control.state().breakpoints.flatMap(({ id, isOn }) => (isOn ? [id] : []))
    turn(resting, false)
    control.release()
    control.time.setSpeed(1)
  }
  return () => {
    const who = {}
    const ignore = control.network.watch()
    present.add(who)
    turn(resting, true)
    resting = []
    return () => {
      ignore()
      leave(who)
    }
  }
}

/** After this time, the window is considered not opened. */
const HAND_OVER_MS = 10_000

/** Keeps attendance until the other console has had time to connect. */
export function handOver(driven: Driven): void {
  startMachine(remoteAnswerMachine, {}, { limit: HAND_OVER_MS }, driven.attend())
}
