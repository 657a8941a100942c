// What the host of a console adds to the event that is looked at, such as where in another recording it leads.
import { createContext, type ReactNode } from 'react'
import type { TraceHeader, ViewRecord } from '../../../trace/format.ts'

/** `header` is that of the recording on show: a file that was opened in its place is about something else. */
export type BesideEvent = (event: ViewRecord['event'], header: TraceHeader) => ReactNode

export const BesideEventContext = createContext<BesideEvent>(() => null)
