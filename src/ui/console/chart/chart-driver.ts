// What the chart can do to a running system, given by whoever drives it; in a file there is nobody.
import { createContext, type ReactNode } from 'react'

/** A timer of a machine that is set. */
export interface LiveTimer {
  /** Type of the event that it sends, `xstate.after.…`. */
  readonly type: string
  /** Milliseconds that are left now. */
  readonly left: () => number
}

/** What a form for sending an event is given. */
export interface SendFormProps {
  /** Path of the actor that it goes to. */
  readonly actor: string
  /** Type of the event. */
  readonly event: string
  /** Takes the form away. */
  readonly onDone: () => void
}

/** Drives the system that is shown. Each part may be missing. */
export interface ChartDriver {
  /** Timers of an actor, by its path. */
  readonly timers?: ((actor: string) => readonly LiveTimer[]) | undefined
  /** Sends an event to an actor at once. */
  readonly onSend?: ((actor: string, event: { readonly type: string }) => void) | undefined
  /** A form in the place of sending at once. */
  readonly renderSend?: ((props: SendFormProps) => ReactNode) | undefined
  /** Shows the way to a state of an actor, by their paths. */
  readonly onGo?: ((actor: string, state: string) => void) | undefined
}

/** The driver of the console. */
export const ChartDriverContext = createContext<ChartDriver>({})
