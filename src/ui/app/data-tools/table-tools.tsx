// The table tools: import, export, saved queries, “Seen by…”, and copying the query as code.
import { useNavigate } from '@tanstack/react-router'
import {
  Bookmark,
  ClipboardCopy,
  Download,
  Eye,
  SquareFunction,
  TableProperties,
  Upload,
  Wrench,
} from 'lucide-react'
import { useState, type ComponentType, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { Button } from '../../widgets/button.tsx'
import { ActionMenu, MenuButton } from '../../widgets/menu.tsx'
import {
  type TableQuery,
  type TableToolsProps,
  toRestRead,
  withoutRelated,
  aboutQuery,
} from '../../../services/workbench/table/index.ts'
import { lazyPart } from '../lazy-part.tsx'
import { StructureDialog } from './structure/structure-dialog.tsx'
import type { CallSpec } from '../../../services/workbench/rest/index.ts'
import { CopyAsMenu, useCopyAs } from '../requests/copy-as-menu.tsx'
import styles from './table-tools.module.css'
import { useSelector } from '@xstate/react'
import { rowImportState } from '../../../services/workbench/jobs/index.ts'
import { isOver, useJob, useJobs } from './jobs.ts'
import type { AppCommand } from '../commands/app-command.ts'
import { useAppCommands } from '../commands/use-app-commands.ts'
import { useSavedQueries } from './saved/use-saved-queries.ts'

interface ToolCommand<Id extends string> {
  readonly id: Id
  readonly title: string
  readonly words: string
}

/** Each saved query as a navigation command. */
const useSavedCommands = (open: TableToolsProps['open']) => {
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
const useToolCommands = <Id extends string>(tools: readonly ToolCommand<Id>[], open: (tool: Id) => void) => {
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

type Tool = 'import' | 'export' | 'saved' | 'seen' | 'structure'

type ToolProps = TableToolsProps & { readonly onClose: () => void }

const late = (name: string, load: () => Promise<ComponentType<ToolProps>>) =>
  lazyPart(name, load, { whileLoading: null, giveUp: ({ onClose }) => onClose() })

const DIALOGS: Readonly<Record<Tool, ComponentType<ToolProps>>> = {
  import: late('the import', async () => (await import('./import/import-dialog.tsx')).ImportDialog),
  export: late('the export', async () => (await import('./export/export-dialog.tsx')).ExportDialog),
  saved: late('the saved queries', async () => (await import('./saved/saved-dialog.tsx')).SavedDialog),
  // Little more than a table that an empty page shows anyway.
  structure: StructureDialog,
  seen: late('the comparison', async () => (await import('./seen-by/seen-by-dialog.tsx')).SeenByDialog),
}

interface ToolInfo {
  readonly id: Tool
  readonly title: string
  readonly words: string
  readonly icon: ReactNode
}

const icon = { size: 14, 'aria-hidden': true } as const
const TOOLS: readonly ToolInfo[] = [
  {
    id: 'structure',
    title: 'Structure',
    words: 'schema columns types keys defaults comments',
    icon: <TableProperties {...icon} />,
  },
  { id: 'import', title: 'Import', words: 'upload csv json rows file', icon: <Upload {...icon} /> },
  { id: 'export', title: 'Export', words: 'download csv json rows file', icon: <Download {...icon} /> },
  {
    id: 'saved',
    title: 'Saved queries',
    words: 'queries filters views bookmark',
    icon: <Bookmark {...icon} />,
  },
  {
    id: 'seen',
    title: 'Seen by…',
    words: 'policies anonymous accounts compare rls',
    icon: <Eye {...icon} />,
  },
]

/** The current query as a call. */
function callOf(query: TableQuery): CallSpec {
  const { path, query: params, headers } = toRestRead(query)
  return { method: 'GET', path: `/rest/v1${path}`, query: params, headers }
}

/** The progress of a running import, for its button. */
function useImportTitle(): string {
  const job = useJob(useJobs().importing)?.job
  const state = useSelector(job?.actor, snapshot => snapshot && rowImportState(snapshot))
  if (state === undefined || isOver(state.phase)) return 'Import'
  const done = state.written + state.skipped + state.refused.length
  return `Import ${Math.floor((100 * done) / Math.max(1, state.total))} %`
}

interface ToolsMenuProps {
  readonly tools: readonly ToolInfo[]
  readonly titleOf: (tool: ToolInfo) => string
  readonly onTool: (tool: Tool) => void
  readonly spec: () => CallSpec
}

/** All tools as a menu, for narrow toolbars. */
function ToolsMenu({ tools, titleOf, onTool, spec }: ToolsMenuProps) {
  const { isCopied, actions } = useCopyAs(spec)
  const navigate = useNavigate()
  return (
    <MenuButton text={isCopied ? 'Copied' : 'Tools'} icon={<Wrench {...icon} />}>
      <ActionMenu
        label="Tools"
        actions={[
          ...tools.map(each => ({
            id: each.id,
            title: titleOf(each),
            icon: each.icon,
            run: () => onTool(each.id),
          })),
          {
            id: 'rpc',
            title: 'Database functions',
            icon: <SquareFunction {...icon} />,
            run: () => void navigate({ to: '/rpc' }),
          },
        ]}
        more={actions.map(form => ({
          ...form,
          title: `Copy as ${form.title}`,
          icon: <ClipboardCopy {...icon} />,
        }))}
      />
    </MenuButton>
  )
}

/** Toolbar buttons; a menu when narrow. */
export function TableTools(props: TableToolsProps) {
  const [tool, setTool] = useState<Tool>()
  const importTitle = useImportTitle()
  useToolCommands(TOOLS, setTool)
  useSavedCommands(props.open)
  const { query, info } = props
  const Dialog = tool && DIALOGS[tool]
  const tools = TOOLS.filter(({ id }) => id !== 'import' || info.rights.insert)
  const titleOf = ({ id, title }: ToolInfo) => (id === 'import' ? importTitle : title)
  const spec = () => callOf(query)
  return (
    <>
      <span className={styles.wide}>
        {tools.map(each => (
          <Button key={each.id} size="s" icon={each.icon} onPress={() => setTool(each.id)}>
            {titleOf(each)}
          </Button>
        ))}
        <CopyAsMenu spec={spec} />
      </span>
      <span className={styles.narrow}>
        <ToolsMenu tools={tools} titleOf={titleOf} onTool={setTool} spec={spec} />
      </span>
      {Dialog ? (
        <Dialog
          {...props}
          query={tool === 'seen' ? withoutRelated(query) : query}
          onClose={() => setTool(undefined)}
        />
      ) : null}
    </>
  )
}
