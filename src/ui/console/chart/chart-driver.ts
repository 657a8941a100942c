// What the chart can do to a running system; provided by the controlling component, empty for files.
import type { ReactNode } from 'react'

/** A running timer of a machine. */
export interface LiveTimer {
  /** Type of the event that it sends, `xstate.after.…`. */
  readonly type: string
  /** Returns the milliseconds left now. */
  readonly left: () => number
}

/** Props of a form for sending an event. */
export interface SendFormProps {
  /** Path of the receiving actor. */
  readonly actor: string
  /** Type of the event. */
  readonly event: string
  /** Closes the form. */
  readonly onDone: () => void
}

/** Controls the shown system. Each part is optional. */
export interface ChartDriver {
  /** Returns the timers of an actor, by its path. */
  readonly timers?: ((actor: string) => readonly LiveTimer[]) | undefined
  /** Renders a form that sends an event. */
  readonly renderSend?: ((props: SendFormProps) => ReactNode) | undefined
  /** Shows the path to a state of an actor, both given by path. */
  readonly onGo?: ((actor: string, state: string) => void) | undefined
}
