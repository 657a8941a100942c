// What the console drives: a control in this page, or one in another tab that is spoken to over a channel.
import {
  takeMeThere,
  type ArmedTimer,
  type Breakpoint,
  type BreakOn,
  type Control,
  type ControlHandle,
  type ControlState,
  type Fault,
  type FaultKind,
  type PathStep,
  type Taken,
} from '../../../control.ts'

/** An actor that lives. */
export type Living = Omit<ReturnType<Control['actors']>[number], 'ref'>

/** At once in this page, later from another tab. */
export type Soon<T> = T | Promise<T>

export interface GoOptions {
  readonly signal: AbortSignal
  readonly onStep: (at: number) => void
  /** What the event of each step is to carry. */
  readonly payloads: readonly Readonly<Record<string, unknown>>[]
}

/** Everything that the drive panel does, and no more. */
export interface Driven {
  readonly subscribe: (listener: () => void) => () => void
  readonly state: () => ControlState
  /**
   * Says that somebody looks on; returns what ends that. When nobody does any more the system goes by itself, and its
   * breakpoints rest until somebody does: nobody would see why nothing happens.
   */
  attend(): () => void
  hold(): void
  step(): void
  release(): void
  /** False when there is no such actor. */
  send(path: string, event: { readonly type: string }): Soon<boolean>
  /** False when there is no such effect, or it can't say that. */
  say(path: string, event: { readonly type: string }): Soon<boolean>
  actors(): readonly Living[]
  timers(): readonly ArmedTimer[]
  /** Rejects when it can't be watched for. */
  breakOn(where: BreakOn, from?: number): Promise<unknown>
  changeBreakpoint(id: number, change: Partial<Pick<Breakpoint, 'isOn' | 'from' | 'hits'>>): void
  removeBreakpoint(id: number): void
  readonly faults: {
    set(fault: Fault): void
    clear(kind?: FaultKind): void
    /** Says how many were open. */
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
}

/** What the console is given of a control. */
export interface DrivenBy {
  /** Loads what drives; the same every time. */
  readonly open: () => Promise<Control | Driven>
  /** Logic by the names of systems, as far as it is known in this page. */
  readonly systems: ControlHandle['systems']
}

const wrapped = new WeakMap<Control, Driven>()

/** What drives a system, wherever it is; the same object for the same control. */
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
    say: (path, event) => control.say(path, event),
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
    present.add(who)
    turn(resting, true)
    resting = []
    return () => leave(who)
  }
}
