// Providers for the console's views, in addition to the model: chart layouts, verdicts and bookmarks.
import { useEffect, useMemo } from 'react'
import { BookmarksProvider, type BookmarksProviderProps } from './bookmarks/bookmarks-provider.tsx'
import { CHART_FONT } from './chart/chart-measure.ts'
import { createLayoutService, LayoutContext } from './chart/use-chart-layout.ts'
import { ChecksProvider, type ChecksProviderProps } from './checks/checks-provider.tsx'

export type ConsoleProvidersProps = ChecksProviderProps & BookmarksProviderProps

export function ConsoleProviders({ children, askFirst, ...checksProps }: ConsoleProvidersProps) {
  return (
    <LayoutContext value={useLayouts()}>
      <ChecksProvider {...checksProps}>
        <BookmarksProvider recording={checksProps.recording} file={checksProps.file} askFirst={askFirst}>
          {children}
        </BookmarksProvider>
      </ChecksProvider>
    </LayoutContext>
  )
}

/** Creates one layout service per console and disposes its worker on unmount. */
function useLayouts() {
  const service = useMemo(() => createLayoutService(CHART_FONT), [])
  useEffect(() => () => service.dispose(), [service])
  return service
}
