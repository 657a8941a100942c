// Context with the control handle of the current client.
import { createContext } from 'react'
import type { ControlHandle } from '../../services/control/index.ts'

/** Undefined outside of the app, where nothing can be controlled. */
export const ControlContext = createContext<ControlHandle | undefined>(undefined)
