// Providers for the console's views, in addition to the model: chart layouts, verdicts and bookmarks.
import { useEffect, useMemo } from 'react'
import { BookmarksProvider, type BookmarksProviderProps } from './bookmarks/bookmarks-provider.tsx'
import { CHART_FONT } from './chart/chart-measure.ts'
import { createLayoutService, LayoutContext } from './chart/use-chart-layout.ts'
import { JudgeProvider, type JudgeProviderProps } from './judge/judge-provider.tsx'

export type AroundProps = JudgeProviderProps & BookmarksProviderProps

export function Around({ children, askFirst, ...judged }: AroundProps) {
  return (
    <LayoutContext value={useLayouts()}>
      <JudgeProvider {...judged}>
        <BookmarksProvider recording={judged.recording} file={judged.file} askFirst={askFirst}>
          {children}
        </BookmarksProvider>
      </JudgeProvider>
    </LayoutContext>
  )
}

/** Creates one layout service per console and disposes its worker on unmount. */
function useLayouts() {
  const service = useMemo(() => createLayoutService(CHART_FONT), [])
  useEffect(() => () => service.dispose(), [service])
  return service
}
