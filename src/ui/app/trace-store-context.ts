// The store of recordings, for whoever shows what is in it.
import { createContext } from 'react'
import type { LoadTraceStore } from './client-store.ts'

/** Absent outside of the app, where nothing is kept. */
export const TraceStoreContext = createContext<LoadTraceStore | undefined>(undefined)
