// Context with the recording store.
import { createContext } from 'react'
import type { LoadTraceStore } from '../../services/workbench/storage/index.ts'

/** Undefined outside of the app, where nothing is stored. */
export const TraceStoreContext = createContext<LoadTraceStore | undefined>(undefined)
