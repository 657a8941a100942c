// The console as static files: shows the trace in `?trace=` above the running example of the tour, whose machines it
// can replay and control. The client's machines are part of the console.
import { Suspense, use, useEffect, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { openHarbour } from '../../../../examples/tour/harbour.ts'
import { WatchPage } from '../../../../examples/tour/watch-page.tsx'
import { attach } from '../../../../src/services/control/index.ts'
import { Console } from '../../../../src/ui/console/index.ts'
import { windowLocation } from '../../../../src/ui/console/model/location.ts'
import '../../../../src/ui/widgets/tokens.css'
import '../../../../src/ui/widgets/base.css'
import { loadTrace, traceAddress } from './load-trace.ts'
import './page.css'

/** Where VitePress stores the selected theme. */
const THEME = 'vitepress-theme-appearance'

const harbour = openHarbour({
  now: () => performance.now(),
  setTimeout: (fn, ms) => window.setTimeout(fn, ms),
})
const { actor, recording, control } = attach(harbour.machine)
actor.start()

const now = () => Number(document.timeline.currentTime)
const address = windowLocation(window)
const place: typeof address =
  window.parent === window
    ? address
    : // The back button of the page around it leaves that page.
      { ...address, write: params => address.write(params, 'replace') }

type Loaded = { readonly file?: File } | { readonly problem: string }

async function load(): Promise<Loaded> {
  try {
    const trace = traceAddress(window.location.href)
    return trace ? { file: await loadTrace(trace) } : {}
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

function Page({ loading }: { readonly loading: Promise<Loaded> }) {
  const loaded = use(loading)
  const file = 'file' in loaded ? loaded.file : undefined
  const isWatch = !file && !('problem' in loaded)
  const Main = isWatch ? 'div' : 'main'
  return (
    <div className="page">
      {'problem' in loaded ? (
        <p role="alert" className="problem">
          {loaded.problem}
        </p>
      ) : null}
      {isWatch ? (
        <div className="watch">
          <WatchPage actor={actor} onSquall={harbour.squall} />
        </div>
      ) : null}
      <Main className="console" {...(!isWatch && { 'aria-label': 'Recorded run' })}>
        {isWatch ? null : <h1 className="hidden">Console</h1>}
        <Console
          ownsPalette
          recording={recording}
          control={control}
          now={now}
          location={place}
          {...(file && { opens: file, opensAtPlace: true })}
        />
      </Main>
    </div>
  )
}

function Themed({ children }: { readonly children: ReactNode }) {
  useEffect(() => {
    const apply = () => {
      const theme = localStorage.getItem(THEME)
      if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme
      else delete document.documentElement.dataset['theme']
    }
    apply()
    window.addEventListener('storage', apply)
    return () => window.removeEventListener('storage', apply)
  }, [])
  return children
}

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element for the console')
createRoot(root).render(
  <Themed>
    <Suspense fallback={<p role="status">Loading…</p>}>
      <Page loading={load()} />
    </Suspense>
  </Themed>,
)
