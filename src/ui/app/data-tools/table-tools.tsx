// The tools beside a table: import, export, saved queries, “Seen by…”, and the query as code.
import { Bookmark, ChevronDown, Download, Eye, Upload } from 'lucide-react'
import { useMemo, useState, useSyncExternalStore, type ComponentType, type ReactNode } from 'react'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { Button } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import menu from '../../widgets/menu.module.css'
import type { AppCommand } from '../commands/app-command.ts'
import { useAppCommands } from '../commands/use-app-commands.ts'
import { toRestRead, type TableQuery, type TableToolsProps } from '../data/table-query.ts'
import { lazyPart } from '../lazy-part.tsx'
import type { CallSpec } from '../requests/call-spec.ts'
import { CopyAsMenu } from '../requests/copy-as-menu.tsx'
import styles from './table-tools.module.css'
import { isOver, useImportJob } from './jobs.ts'

type Tool = 'import' | 'export' | 'saved' | 'seen'

type ToolProps = TableToolsProps & { readonly onClose: () => void }

const DIALOGS: Readonly<Record<Tool, ComponentType<ToolProps>>> = {
  import: lazyPart<ToolProps>(
    'the import',
    async () => (await import('./import/import-dialog.tsx')).ImportDialog,
  ),
  export: lazyPart<ToolProps>(
    'the export',
    async () => (await import('./export/export-dialog.tsx')).ExportDialog,
  ),
  saved: lazyPart<ToolProps>(
    'the saved queries',
    async () => (await import('./saved/saved-dialog.tsx')).SavedDialog,
  ),
  seen: lazyPart<ToolProps>(
    'the comparison',
    async () => (await import('./seen-by/seen-by-dialog.tsx')).SeenByDialog,
  ),
}

interface ToolInfo {
  readonly id: Tool
  readonly title: string
  readonly words: string
  readonly icon: ReactNode
}

const icon = { size: 14, 'aria-hidden': true } as const
const TOOLS: readonly ToolInfo[] = [
  { id: 'import', title: 'Import', words: 'upload csv json rows file', icon: <Upload {...icon} /> },
  { id: 'export', title: 'Export', words: 'download csv json rows file', icon: <Download {...icon} /> },
  { id: 'saved', title: 'Saved', words: 'queries filters views bookmark', icon: <Bookmark {...icon} /> },
  {
    id: 'seen',
    title: 'Seen by…',
    words: 'policies anonymous accounts compare rls',
    icon: <Eye {...icon} />,
  },
]

/** The query on show as a call. */
export function callOf(query: TableQuery): CallSpec {
  const { path, query: params, headers } = toRestRead(query)
  return { method: 'GET', path: `/rest/v1${path}`, query: params, headers }
}

const NO_JOB = { subscribe: () => () => undefined, state: () => undefined }

/** How far the import is that runs, as on its button. */
function useImportTitle(): string {
  const { subscribe, state: read } = useImportJob()?.job ?? NO_JOB
  const state = useSyncExternalStore(subscribe, read)
  if (state === undefined || isOver(state.phase)) return 'Import'
  const done = state.written + state.skipped + state.refused.length
  return `Import ${Math.floor((100 * done) / Math.max(1, state.total))} %`
}

const useToolCommands = (open: (tool: Tool) => void) => {
  const commands = useMemo(
    () =>
      TOOLS.map(({ id, title, words }, rank): AppCommand => ({
        id: `table.tool.${id}`,
        title:
          id === 'import' || id === 'export' ? `${title} rows` : id === 'saved' ? 'Saved queries' : title,
        section: 'Data',
        words,
        rank: 40 + rank,
        run: () => open(id),
      })),
    [open],
  )
  useAppCommands(commands)
}

/** In the toolbar of the table; a menu where it is narrow. */
export function TableTools(props: TableToolsProps) {
  const [tool, setTool] = useState<Tool>()
  const importTitle = useImportTitle()
  useToolCommands(setTool)
  const { query, info } = props
  const Dialog = tool && DIALOGS[tool]
  const tools = TOOLS.filter(({ id }) => id !== 'import' || info.rights.insert)
  const titleOf = ({ id, title }: ToolInfo) => (id === 'import' ? importTitle : title)
  return (
    <>
      <span className={styles.wide}>
        {tools.map(each => (
          <Button key={each.id} size="s" icon={each.icon} onPress={() => setTool(each.id)}>
            {titleOf(each)}
          </Button>
        ))}
      </span>
      <span className={styles.narrow}>
        <MenuTrigger>
          <Button size="s" icon={<ChevronDown {...icon} />}>
            Tools
          </Button>
          <Popover placement="bottom end" className={cx(menu.menu)}>
            <Menu
              aria-label="Tools"
              className={cx(menu.items)}
              onAction={key => setTool(tools.find(({ id }) => id === key)?.id)}
            >
              {tools.map(each => (
                <MenuItem key={each.id} id={each.id} textValue={each.title} className={cx(menu.item)}>
                  {each.icon}
                  {titleOf(each)}
                </MenuItem>
              ))}
            </Menu>
          </Popover>
        </MenuTrigger>
      </span>
      <CopyAsMenu spec={() => callOf(query)} />
      {Dialog ? <Dialog {...props} onClose={() => setTool(undefined)} /> : null}
    </>
  )
}
