// Provides the open console with its location in the app's URL.
import { use, useMemo } from 'react'
import type { ConsoleLocation } from '../../console/index.ts'
import { createAppRouter } from '../router.tsx'
import { RouterContext } from '../lazy-router.ts'
import { consoleLocation } from './console-location.ts'

/** Loads the router if needed, also while signed out. */
export function useConsoleLocation(): ConsoleLocation {
  const { take } = use(RouterContext)
  return useMemo(() => consoleLocation(take(createAppRouter)), [take])
}
