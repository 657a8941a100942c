// Navigation commands: sections, saved backends, console.
import { use, useMemo } from 'react'
import type { AppCommand, AppKeyNote } from '../commands/app-command.ts'
import { useAppCommands, useAppKeyNotes } from '../commands/use-app-commands.ts'
import { connectionTitle } from '../../../services/workbench/hosts/index.ts'
import { RouterContext } from '../lazy-router.ts'
import { useWorkspace } from '../workspace.tsx'
import type { ConsoleToggle } from './use-console-toggle.ts'

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
export function useShellCommands(toggle: ConsoleToggle): void {
  const router = use(RouterContext)
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
