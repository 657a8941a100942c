// Commands that a console window may run on its tab's system, by name, and the state it receives back.
import type { ArmedTimer, ControlState, PathStep } from '../../../services/control/index.ts'
import type { Driven, GoOptions, Living } from '../drive/driven.ts'

/** What the window knows of the controlled system. */
export interface DriveNews {
  readonly state: ControlState
  readonly actors: readonly Living[]
  readonly timers: readonly ArmedTimer[]
}

type Args<K extends keyof Driven> = Driven[K] extends (...args: infer A) => unknown ? A : never
type FaultArgs<K extends keyof Driven['faults']> = Parameters<Driven['faults'][K]>
type Time = Omit<Driven['time'], 'ahead'>
type TimeArgs<K extends keyof Time> = Parameters<Time[K]>

/** A command for the tab's system. */
export type Act =
  | readonly ['attend']
  | readonly ['leave']
  | readonly ['hold' | 'step' | 'release']
  | readonly ['send', ...Args<'send'>]
  | readonly ['emitAs', ...Args<'emitAs'>]
  | readonly ['breakOn', ...Args<'breakOn'>]
  | readonly ['changeBreakpoint', ...Args<'changeBreakpoint'>]
  | readonly ['removeBreakpoint', ...Args<'removeBreakpoint'>]
  | readonly ['faults.set', ...FaultArgs<'set'>]
  | readonly ['faults.clear', ...FaultArgs<'clear'>]
  | readonly ['faults.killSockets']
  | readonly ['time.setSpeed', ...TimeArgs<'setSpeed'>]
  | readonly ['time.toReal' | 'time.toNextDeadline']
  | readonly ['time.fire', ...TimeArgs<'fire'>]
  | readonly ['time.skip', ...TimeArgs<'skip'>]
  | readonly ['go', path: string, steps: readonly PathStep[], payloads: GoOptions['payloads']]

/** Commands that act on the system; the link itself tracks whether a window is attached. */
type SystemAct = Exclude<Act, readonly ['attend'] | readonly ['leave']>

/** Progress callback and abort signal of a path run. */
export type Way = Omit<GoOptions, 'payloads'>

/** Runs a command. */
export function perform(driven: Driven, act: SystemAct, way: Way): unknown {
  const { faults, time } = driven
  switch (act[0]) {
    case 'hold':
    case 'step':
    case 'release':
      return driven[act[0]]()
    case 'send':
      return driven.send(act[1], act[2])
    case 'emitAs':
      return driven.emitAs(act[1], act[2])
    case 'breakOn':
      return driven.breakOn(act[1], act[2]).then(() => undefined)
    case 'changeBreakpoint':
      return driven.changeBreakpoint(act[1], act[2])
    case 'removeBreakpoint':
      return driven.removeBreakpoint(act[1])
    case 'faults.set':
      return faults.set(act[1])
    case 'faults.clear':
      return faults.clear(act[1])
    case 'faults.killSockets':
      return faults.killSockets()
    case 'time.setSpeed':
      return time.setSpeed(act[1])
    case 'time.toReal':
      return time.toReal()
    case 'time.toNextDeadline':
      return time.toNextDeadline()
    case 'time.fire':
      return time.fire(act[1])
    case 'time.skip':
      return time.skip(act[1])
    case 'go':
      return driven.takeMeThere(act[1], act[2], { ...way, payloads: act[3] })
  }
}
