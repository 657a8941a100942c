// Palette commands for table tools and saved queries.
import { useEffect, useMemo, useRef } from 'react'
import type { AppCommand } from '../commands/app-command.ts'
import { useAppCommands } from '../commands/use-app-commands.ts'
import { aboutQuery, type TableToolsProps } from '../../../services/workbench/table/index.ts'
import { useSavedQueries } from './saved/use-saved-queries.ts'

interface ToolCommand<Id extends string> {
  readonly id: Id
  readonly title: string
  readonly words: string
}

/** Each saved query as a navigation command. */
export const useSavedCommands = (open: TableToolsProps['open']) => {
  const [saved] = useSavedQueries()
  const latest = useRef(open)
  useEffect(() => {
    latest.current = open
  })
  const commands = useMemo(
    () =>
      saved.map(({ name, query }, rank): AppCommand => ({
        id: `query.${name}`,
        title: name,
        section: 'Data',
        words: `saved query ${aboutQuery(query)}`,
        rank: 60 + rank,
        run: () => latest.current(query),
      })),
    [saved],
  )
  useAppCommands(commands)
}

/** `tools` must be stable. */
export const useToolCommands = <Id extends string>(
  tools: readonly ToolCommand<Id>[],
  open: (tool: Id) => void,
) => {
  const commands = useMemo(
    () =>
      tools.map(({ id, title, words }, rank): AppCommand => ({
        id: `table.tool.${id}`,
        title:
          id === 'import' || id === 'export' ? `${title} rows` : id === 'saved' ? 'Saved queries' : title,
        section: 'Data',
        words,
        rank: 40 + rank,
        run: () => open(id),
      })),
    [tools, open],
  )
  useAppCommands(commands)
}
