// The routes. The URL stores the view (table, order, page, folder, topic) and never a secret.
import {
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  retainSearchParams,
  Link,
  type ErrorComponentProps,
} from '@tanstack/react-router'
import type { FunctionComponent } from 'react'
import { array, boolean, fallback, number, object, optional, parse, picklist, string } from 'valibot'
import { CONSOLE_KEYS, consoleSearch } from './console-search.ts'
import { lazyPart } from './lazy-part.tsx'
import type { DockedProps } from './shell/docked.tsx'
import { Work } from './shell/work.tsx'
import { Compass } from 'lucide-react'
import { useTitle } from './hooks.ts'
import { EmptyState, ErrorState } from '../widgets/state.tsx'
import { Button } from '../widgets/button.tsx'
import { CopyError } from './shell/failed.tsx'
import styles from './shell/page.module.css'

const schemaSearch = object({ schema: optional(fallback(string(), '')) })

const rowsSearch = object({
  sort: optional(fallback(string(), '')),
  dir: optional(fallback(picklist(['asc', 'desc']), 'asc')),
  filter: optional(fallback(array(string()), [])),
  schema: optional(fallback(string(), '')),
})

const filesSearch = object({
  path: optional(fallback(string(), '')),
  /** The selected file. */
  file: optional(fallback(string(), '')),
})
const bucketsSearch = object({ all: optional(fallback(boolean(), false)) })
const functionSearch = object({ name: optional(fallback(string(), '')) })

const text = optional(fallback(optional(string()), undefined))
const whole = optional(fallback(optional(number()), undefined))
const reportsSearch = object({
  status: text,
  cause: text,
  since: text,
  q: text,
  page: whole,
  /** Fingerprint of the shown group. */
  group: text,
  /** Id of the shown report, and a step of its recording. */
  report: text,
  step: whole,
})

// The pages' types depend on the routes, so the placeholder's type is written out.
const loads: (() => Promise<FunctionComponent>)[] = []
const page = (load: () => Promise<FunctionComponent>): FunctionComponent => {
  loads.push(load)
  return lazyPart('this page', load)
}
const DataPage = page(async () => (await import('./data/data-page.tsx')).DataPage)
const FilesPage = page(async () => (await import('./files/files-page.tsx')).FilesPage)
const FunctionsPage = page(async () => (await import('./functions/functions-page.tsx')).FunctionsPage)
const RpcPage = page(async () => (await import('./data-tools/rpc/rpc-page.tsx')).RpcPage)
const RealtimePage = page(async () => (await import('./realtime/realtime-page.tsx')).RealtimePage)
const ReportsPage = page(async () => (await import('./reports/reports-page.tsx')).ReportsPage)
const AccessPage = page(async () => (await import('./access/access-page.tsx')).AccessPage)
const DiagramPage = page(async () => (await import('./diagram/diagram-page.tsx')).DiagramPage)
const ProjectPage = page(async () => (await import('./project/project-page.tsx')).ProjectPage)
const SqlPage = page(async () => (await import('./sql/sql-page.tsx')).SqlPage)
const AccountPage = page(async () => (await import('./account/account-page.tsx')).AccountPage)
const ConnectionsPage = page(async () => (await import('./connect/connections-page.tsx')).ConnectionsPage)

/** Shown for an unknown path. */
function NotFound() {
  useTitle('Page not found')
  return (
    <EmptyState icon={<Compass size={22} aria-hidden />} title="Page not found" isPage>
      The URL may be mistyped. <Link to="/data">Go to your data</Link>.
    </EmptyState>
  )
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** A page failed; the bar, the other sections and the console keep working. */
function PageFailed({ error, reset }: ErrorComponentProps) {
  const known = asError(error)
  return (
    <ErrorState
      title="This page failed to render"
      isPage
      action={
        <span className={styles.ways}>
          <Button variant="primary" onPress={reset}>
            Try again
          </Button>
          <CopyError error={known} />
        </span>
      }
    >
      The fault is Chartroom’s own; your data is not affected, and the console has what led here. (
      {known.message}) <Link to="/data">Go to your data</Link>.
    </ErrorState>
  )
}

const root = createRootRoute({
  component: Work,
  notFoundComponent: NotFound,
  validateSearch: consoleSearch,
  // The console keeps its location across pages.
  search: { middlewares: [retainSearchParams([...CONSOLE_KEYS])] },
})

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    redirect({ to: '/data', replace: true, throw: true })
  },
})

const data = createRoute({
  getParentRoute: () => root,
  path: '/data',
  component: DataPage,
  validateSearch: search => parse(schemaSearch, search),
})

const table = createRoute({
  getParentRoute: () => root,
  path: '/data/$table',
  component: DataPage,
  validateSearch: search => parse(rowsSearch, search),
})

const rpc = createRoute({ getParentRoute: () => root, path: '/rpc', component: RpcPage })
const rpcFunction = createRoute({ getParentRoute: () => root, path: '/rpc/$name', component: RpcPage })

const access = createRoute({ getParentRoute: () => root, path: '/access', component: AccessPage })

const diagram = createRoute({
  getParentRoute: () => root,
  path: '/diagram',
  component: DiagramPage,
  validateSearch: search => parse(schemaSearch, search),
})

const files = createRoute({
  getParentRoute: () => root,
  path: '/files',
  component: FilesPage,
  validateSearch: search => parse(bucketsSearch, search),
})

const bucket = createRoute({
  getParentRoute: () => root,
  path: '/files/$bucket',
  component: FilesPage,
  validateSearch: search => parse(filesSearch, search),
})

const functions = createRoute({
  getParentRoute: () => root,
  path: '/functions',
  component: FunctionsPage,
  validateSearch: search => parse(functionSearch, search),
})

const realtime = createRoute({
  getParentRoute: () => root,
  path: '/realtime',
  component: RealtimePage,
})
const topic = createRoute({
  getParentRoute: () => root,
  path: '/realtime/$topic',
  component: RealtimePage,
})
const reports = createRoute({
  getParentRoute: () => root,
  path: '/reports',
  component: ReportsPage,
  validateSearch: search => parse(reportsSearch, search),
})
const project = createRoute({ getParentRoute: () => root, path: '/project', component: ProjectPage })
const sql = createRoute({ getParentRoute: () => root, path: '/sql', component: SqlPage })
const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: AccountPage,
})
/** The tabs are hashes of the account page. */
const accountTab = createRoute({
  getParentRoute: () => root,
  path: '/account/$tab',
  beforeLoad: ({ params: { tab } }) => {
    redirect({ to: '/account', hash: tab, replace: true, throw: true })
  },
})
const connections = createRoute({
  getParentRoute: () => root,
  path: '/connections',
  component: ConnectionsPage,
})

/** Loads the console. Here, as its long list of files to preload would otherwise load before the sign-in. */
export const loadDocked = async (): Promise<FunctionComponent<DockedProps>> =>
  (await import('./shell/docked.tsx')).Docked

/** Overlays and other parts that pages load on first use. */
const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('./shell/switcher-menu.tsx'),
  () => import('./commands/app-palette.tsx'),
  () => import('./data-tools/import/import-dialog.tsx'),
  () => import('./data-tools/export/export-dialog.tsx'),
  () => import('./data-tools/saved/saved-dialog.tsx'),
  () => import('./data-tools/seen-by/seen-by-dialog.tsx'),
  () => import('./json/code-field.tsx'),
  () => import('./requests/reason-place.ts'),
  loadDocked,
]

/** Loads the code of all pages, then the rest, so that they also open while the network is offline. */
export async function preparePages(): Promise<void> {
  await Promise.allSettled(loads.map(load => load()))
  // One by one, to keep the app responsive; a failed load is retried when its part is shown.
  for (const load of PARTS) await load().catch(() => undefined)
}

/** Creates a router on the browser's history. */
export const createAppRouter = () =>
  createRouter({
    routeTree: root.addChildren([
      index,
      data,
      table,
      rpc,
      rpcFunction,
      access,
      diagram,
      files,
      bucket,
      functions,
      realtime,
      topic,
      reports,
      project,
      sql,
      account,
      accountTab,
      connections,
    ]),
    basepath: import.meta.env.BASE_URL,
    defaultPreload: false,
    defaultErrorComponent: PageFailed,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
