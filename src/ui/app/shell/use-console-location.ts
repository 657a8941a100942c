// The console's place in the app's URL, for the console that is open.
import { use, useMemo } from 'react'
import type { ConsoleLocation } from '../../console/model/location.ts'
import { createAppRouter } from '../router.tsx'
import { RouterContext } from '../router-later.ts'
import { consoleLocation } from './console-location.ts'

/** It needs the router, also where nobody is signed in. */
export function useConsoleLocation(): ConsoleLocation {
  const { take } = use(RouterContext)
  return useMemo(() => consoleLocation(take(createAppRouter)), [take])
}
