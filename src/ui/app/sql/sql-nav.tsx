// The section of SQL in the navigation; only the embedded backend has it.
import { useRouter } from '@tanstack/react-router'
import { SquareTerminal } from 'lucide-react'
import { useMemo } from 'react'
import type { AppCommand } from '../commands/app-command.ts'
import { useAppCommands } from '../commands/use-app-commands.ts'
import { Section } from '../shell/work.tsx'

export function SqlNav() {
  const router = useRouter()
  const commands = useMemo<readonly AppCommand[]>(
    () => [
      {
        id: 'go.sql',
        title: 'SQL',
        section: 'Go to',
        keys: ['G Q'],
        words: 'query script explain plan psql',
        rank: 1,
        run: () => void router.navigate({ to: '/sql' }),
      },
    ],
    [router],
  )
  useAppCommands(commands)
  return <Section to="/sql" title="SQL" icon={<SquareTerminal size={16} aria-hidden />} />
}
