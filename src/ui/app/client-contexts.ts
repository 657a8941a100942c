// Contexts with the control handle of the current client and the recording store.
import { createContext } from 'react'
import type { ControlHandle } from '../../services/control/index.ts'
import type { LoadTraceStore } from '../../services/workbench/storage/index.ts'

/** Undefined outside of the app, where nothing can be controlled. */
export const ControlContext = createContext<ControlHandle | undefined>(undefined)

/** The user has signed in on this page, so that the app takes over the focus of the form. */
export const SignedInHereContext = createContext(false)

/** Undefined outside of the app, where nothing is stored. */
export const TraceStoreContext = createContext<LoadTraceStore | undefined>(undefined)

/** Path of the schema file that the deployment serves for the backend; undefined if there is none. */
export const SchemaFileContext = createContext<string | undefined>(undefined)
