// Navigation commands for the tables.
import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useAppCommands } from '../commands/use-app-commands.ts'
import type { AppCommand } from '../commands/app-command.ts'
import { inSchema, type Tables } from '../data/tables.tsx'

/** Tables by name, in the schema of the URL. */
export function useTableCommands({ tables, schema }: Pick<Tables, 'tables' | 'schema'>): void {
  const router = useRouter()
  const commands = useMemo<readonly AppCommand[]>(
    () =>
      tables.map((table, at) => ({
        id: `table.${table}`,
        title: table,
        section: 'Go to',
        words: 'table data rows',
        rank: 100 + at,
        run: () => void router.navigate({ to: '/data/$table', params: { table }, search: inSchema(schema) }),
      })),
    [router, tables, schema],
  )
  useAppCommands(commands)
}
