// The control of the client in use, for whoever drives it.
import { createContext } from 'react'
import type { ControlHandle } from '../../control.ts'

/** Absent outside of the app, where nothing is driven. */
export const ControlContext = createContext<ControlHandle | undefined>(undefined)
