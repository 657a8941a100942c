// The frame of the connected app, with the console below; while signed out, the sign-in page at the same URL.
import { useStatus, useClient, ChartroomProvider } from '../../react/index.ts'
import { useHalfConfirmed } from '../auth/use-half-confirmed.ts'
import { lazyPart } from '../lazy-part.tsx'
import { useWorkspace } from '../workspace.tsx'
import { PageAnnouncer, SkipLink } from './skip-links.tsx'
import { loadBanner, loadSignedIn } from './load-signed-in.ts'
import styles from './shell.module.css'
import { Splash } from './splash.tsx'
import { TopBar } from './top-bar.tsx'
import { useBackendTrouble, useRecovered } from './use-backend-trouble.ts'
import { useConsoleToggle, type ConsoleToggle } from './use-console-toggle.ts'
import { useCallback, useEffect, useState, useSyncExternalStore, useMemo, type ReactNode } from 'react'
import type { ClientStatus } from '../../../services/client/index.ts'
import { retriesOf } from '../retry.ts'
import { backendHealthOf, connectionTitle } from '../../../services/workbench/hosts/index.ts'
import { SignedInHereContext, useConnected, useRouterIfThere } from '../connected-context.ts'
import type { AppCommand, AppKeyNote } from '../commands/app-command.ts'
import { useAppCommands, useAppKeyNotes } from '../commands/use-app-commands.ts'
import { Skeleton } from '../../widgets/state.tsx'
import { useConsoleJump } from '../requests/console-jump.ts'
import { useWorkRecordings, workRecordings } from '../work-recordings.ts'
import type { DockedProps } from './docked.tsx'

const nothing = () => () => undefined

/** Records the backend's health, checks it when the user returns, and retries failed loads when it recovers. */
function useBackendChecks(): void {
  const client = useClient()
  const health = backendHealthOf(client)
  useEffect(() => {
    if (health) workRecordings(client).add('Backend health', { recording: health.recording, stays: true })
  }, [client, health])
  useRecovered(() => retriesOf(client).flush())
  const router = useRouterIfThere()
  const path = useSyncExternalStore(router?.history.subscribe ?? nothing, () => location.pathname)
  useEffect(() => {
    if (!health) return
    health.confirm()
    window.addEventListener('focus', health.confirm)
    return () => window.removeEventListener('focus', health.confirm)
  }, [health, path])
}

/** Separate chunks: signed-in users don't need the sign-in page, signed-out users need nothing else. */
const AuthPage = lazyPart('the sign-in page', async () => (await import('../auth/auth-page.tsx')).AuthPage)
const SignedIn = lazyPart('your work', loadSignedIn, { whileLoading: <Splash text="Loading your work…" /> })

/** Loaded before there is a problem to report, but not before the sign-in form. */
const Banner = lazyPart('the status banner', loadBanner, { whileLoading: null })

/** What the session still needs before the app opens; a second factor only right after a sign-in. */
const isIncomplete = ({ session }: ClientStatus, isNew: boolean): boolean =>
  session.phase === 'authenticated' &&
  (session.recovery === 'active' || (isNew && session.assurance.next !== session.aal))

function Main() {
  const phase = useStatus(status => status.session.phase)
  /** The sign-in happened on this page. */
  const [isNew, setNew] = useState(false)
  const [wasSignedOut, setSignedOut] = useState(false)
  const [isSkipped, setSkipped] = useState(false)
  const isDue = useStatus(status => isIncomplete(status, isNew))
  const isSignedOut = phase === 'signedOut' || phase === 'authenticating'
  if (isSignedOut && !isNew) setNew(true)
  if (isSignedOut && !wasSignedOut) setSignedOut(true)
  // Only until the app has opened: work is never replaced by a form.
  if (phase === 'authenticated' && !isDue && isNew) setNew(false)
  // The next sign-in or recovery asks again.
  if (!isDue && isSkipped) setSkipped(false)
  useHalfConfirmed()
  if (isSignedOut || (isDue && !isSkipped)) return <AuthPage onSkip={() => setSkipped(true)} />
  switch (phase) {
    case 'booting':
      return <Splash text="Reading your session…" />
    case 'signingOut':
      return <Splash text="Signing out…" />
    case 'disposed':
      return <Splash text="Closing the connection…" />
    case 'authenticated':
      return (
        <SignedInHereContext value={wasSignedOut}>
          <SignedIn />
        </SignedInHereContext>
      )
  }
}

function StatusBanner() {
  const { active } = useWorkspace()
  const isIn = useStatus(({ session }) => session.phase === 'authenticated')
  const trouble = useBackendTrouble()
  // While signed out, the sign-in page itself shows why it fails; without a network or a key, nothing succeeds.
  const isTroubled =
    trouble !== undefined && (isIn || trouble.fault === 'offline' || trouble.fault === 'keyRejected')
  return isTroubled ? <Banner host={active?.name ?? 'The backend'} /> : null
}

/** Bar, banner, page and console. */
export function Shell() {
  const toggle = useConsoleToggle()
  const client = useClient()
  const shown = useWorkRecordings(client).past?.client ?? client
  useBackendChecks()
  useShellCommands(toggle)
  return (
    <div className={styles.shell} data-past={shown === client ? undefined : ''}>
      <SkipLink />
      <ChartroomProvider client={shown}>
        <TopBar consoleToggle={toggle} />
        <PageAnnouncer />
        <StatusBanner />
      </ChartroomProvider>
      {/* The console is part of the main content: it shows the same work from another side. */}
      <main className={styles.main}>
        <ConsoleDock toggle={toggle}>
          <Main />
        </ConsoleDock>
      </main>
    </div>
  )
}

const PAGES = [
  { to: '/data', title: 'Data', keys: ['G D'], words: 'tables rows' },
  { to: '/rpc', title: 'Database functions', keys: ['G P'], words: 'rpc sql procedures call' },
  { to: '/files', title: 'Files', keys: ['G F'], words: 'storage buckets' },
  { to: '/functions', title: 'Functions', keys: ['G U'], words: 'edge invoke call' },
  { to: '/realtime', title: 'Realtime', keys: ['G R'], words: 'channels topics broadcast presence' },
  { to: '/account', title: 'Account', keys: ['G A'], words: 'profile token sign out password mfa' },
  { to: '/connections', title: 'Connections', keys: ['G C'], words: 'hosts backends projects' },
] as const

/** The console itself listens for these on the whole page. */
const NOTES: readonly AppKeyNote[] = [
  { id: 'console', section: 'View', keys: ['Ctrl+`', 'Alt+C'], text: 'Open or close the console' },
]

/** Registered while the frame is mounted. */
function useShellCommands(toggle: ConsoleToggle): void {
  const { router } = useConnected()
  const { connections, dispatch } = useWorkspace()
  const commands = useMemo<readonly AppCommand[]>(
    () => [
      ...PAGES.map(({ to, title, keys, words }, rank) => ({
        id: `go.${to.slice(1)}`,
        title,
        section: 'Go to' as const,
        keys,
        words,
        rank,
        run: () => router.whenThere(there => void there.navigate({ to })),
      })),
      ...connections.list.map((connection, at) => ({
        id: `host.${connection.id}`,
        title: `Connect to ${connectionTitle(connection)}`,
        section: 'Connection' as const,
        words: `${connection.url} switch host backend`,
        rank: at,
        ...(connection.id === connections.active && { disabled: 'current' }),
        run: () => dispatch({ type: 'connection.chosen', id: connection.id }),
      })),
      {
        id: 'console',
        title: toggle.isOpen ? 'Close the console' : 'Open the console',
        section: 'View' as const,
        words: 'states events recording debug',
        run: toggle.toggle,
      },
    ],
    [router, connections, dispatch, toggle.isOpen, toggle.toggle],
  )
  useAppCommands(commands)
  useAppKeyNotes(NOTES)
}

/** Window name of a tab whose console is in a separate window; it survives a reload. */
const NAMED = /^chartroom-tab-([\w-]{8,64})$/

/** Keeps the window connected; `open` shows the console when it moves back into the app. */
function useOwnWindow(open: () => void): (tab: string) => void {
  const client = useClient()
  const { control, router } = useConnected()
  const [tab, setTab] = useState(() => NAMED.exec(window.name)?.[1])
  useEffect(() => {
    if (tab === undefined) return
    let current = true
    let unlink = () => undefined as void
    import('../past/own-window.ts').then(
      ({ linkConsole }) => {
        if (current) unlink = linkConsole(tab, { client, control, router, open })
      },
      // The window shows that the app is not responding.
      () => undefined,
    )
    return () => {
      current = false
      unlink()
    }
  }, [tab, client, control, router, open])
  return setTab
}

const Docked = lazyPart<DockedProps>(
  'the console',
  async () => (await import('../router.tsx')).loadDocked(),
  {
    whileLoading: <DockLoading />,
    giveUp: ({ toggle }) => toggle.close(),
  },
)

/** Placeholder while it loads. */
function DockLoading() {
  return (
    <section className={styles.dockLoading}>
      <Skeleton label="Loading the console" />
    </section>
  )
}

/** Renders `children` above and the console below while it is open. */
function ConsoleDock({ toggle, children }: { readonly toggle: ConsoleToggle; readonly children: ReactNode }) {
  const client = useClient()
  const { show } = workRecordings(client)
  const { shown, past } = useWorkRecordings(client)
  const { open, close } = toggle
  useEffect(() => {
    if (shown) open()
  }, [shown, open])
  // The console's location belongs to the client's recording.
  useConsoleJump(
    useCallback(() => {
      show(undefined)
      open()
    }, [show, open]),
  )
  const link = useOwnWindow(open)
  const detach = useCallback(
    (tab: string) => {
      link(tab)
      close()
    },
    [link, close],
  )
  return (
    <div className={styles.dock}>
      <div id="work" className={styles.docked}>
        {past?.line}
        {children}
      </div>
      {toggle.isOpen ? <Docked toggle={toggle} onDetach={detach} /> : null}
    </div>
  )
}
