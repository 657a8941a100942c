// The diagram of tables and foreign keys, from which tables open.
import { useRouter } from '@tanstack/react-router'
import { Download, List, Printer } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { foldName, matchName } from '../../../services/workbench/table-list/index.ts'
import { formatCount, plural } from '../../../services/workbench/text/index.ts'
import { Button, IconButton } from '../../widgets/button.tsx'
import { usePaneSize } from '../../widgets/drawing/use-pane-size.ts'
import { Progress } from '../../widgets/progress.tsx'
import { saveAs } from '../../widgets/save-as.ts'
import { ErrorState, useNoticed } from '../../widgets/state.tsx'
import { useMedia } from '../../widgets/use-media.ts'
import type { AppCommand } from '../commands/app-command.ts'
import { useAppCommands } from '../commands/use-app-commands.ts'
import { NoTables } from '../data/missing/no-tables.tsx'
import { inSchema, useTables } from '../data/tables.tsx'
import { useTitle } from '../hooks.ts'
import { PageHead } from '../shell/page.tsx'
import { useWorkspace } from '../workspace.tsx'
import { type CenterRequest, DiagramCanvas } from './diagram-canvas.tsx'
import type { PlacedDiagram } from './diagram-layout.ts'
import { DiagramList } from './diagram-list.tsx'
import styles from './diagram.module.css'
import { DiagramSearch } from './diagram-search.tsx'
import { diagramSvg } from './diagram-svg.ts'
import { diagramFileName, diagramOf, tableTitle, type Diagram } from './diagram.ts'
import { PrintImage } from './print-image.tsx'
import { useDiagramLayout, useSameDiagram } from './use-diagram-layout.ts'

const icon = { size: 14, 'aria-hidden': true } as const

/** Shown only if the layout takes long enough to notice. */
function LayingOut({ count }: { readonly count: number }) {
  if (!useNoticed()) return null
  return (
    <div className={styles.progress}>
      <Progress label={`Laying out ${plural(count, 'table')}`} share={undefined} text="" />
    </div>
  )
}

/** Saves or prints the placed diagram. */
function Export({ placed }: { readonly placed: PlacedDiagram }) {
  const [isPrinting, setPrinting] = useState(false)
  const project = useWorkspace().active?.name ?? 'tables'
  const { diagram } = placed
  const title = `${project}: ${diagram.schemas.join(', ')}`
  const save = () =>
    saveAs(
      new Blob([diagramSvg(placed, title)], { type: 'image/svg+xml' }),
      diagramFileName(project, diagram),
    )
  const endPrinting = useCallback(() => setPrinting(false), [])
  return (
    <>
      <IconButton label="Download SVG" isNamed onPress={save}>
        <Download {...icon} />
      </IconButton>
      <IconButton label="Print" onPress={() => setPrinting(true)}>
        <Printer {...icon} />
      </IconButton>
      {isPrinting ? (
        <PrintImage svg={diagramSvg(placed, title, true)} title={title} onPrinted={endPrinting} />
      ) : null}
    </>
  )
}

/** Links to tables, and opens them. */
function useTableLinks(diagram: Diagram) {
  const router = useRouter()
  const targets = useMemo(
    () =>
      new Map(
        diagram.tables.map(({ id, name, schema }) => [
          id,
          { to: '/data/$table', params: { table: name }, search: inSchema(schema) } as const,
        ]),
      ),
    [diagram],
  )
  const hrefOf = useCallback(
    (id: string) => {
      const target = targets.get(id)
      return target === undefined ? '' : router.buildLocation(target).href
    },
    [router, targets],
  )
  const onOpen = useCallback(
    (id: string) => {
      const target = targets.get(id)
      if (target !== undefined) void router.navigate(target)
    },
    [router, targets],
  )
  return { hrefOf, onOpen }
}

/** Ids of the tables that match, the best first. */
const findTables = (diagram: Diagram, text: string): readonly string[] => {
  const folded = foldName(text)
  if (folded === '') return []
  return diagram.tables
    .map(table => ({ id: table.id, rank: matchName(foldName(tableTitle(table, diagram)), folded) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ id }) => id)
}

const FIND_KEYS = ['F']

function useFindCommand(focusSearch: () => void): void {
  const commands = useMemo<readonly AppCommand[]>(
    () => [
      {
        id: 'diagram.find',
        title: 'Find a table in the diagram',
        section: 'Data',
        keys: FIND_KEYS,
        words: 'search center',
        run: focusSearch,
      },
    ],
    [focusSearch],
  )
  useAppCommands(commands)
}

function DiagramView({ diagram }: { readonly diagram: Diagram }) {
  const [paneRef, pane] = usePaneSize()
  const layout = useDiagramLayout(diagram, pane)
  const links = useTableLinks(diagram)
  const isWide = useMedia('(min-width: 1200px)')
  const [listChoice, setListChoice] = useState<boolean>()
  const isListOpen = listChoice ?? isWide
  const [request, setRequest] = useState<CenterRequest>()
  const input = useRef<HTMLInputElement>(null)
  const focusSearch = useCallback(() => input.current?.focus(), [])
  useFindCommand(focusSearch)
  const show = (id: string, isFocused: boolean) => {
    if (!isWide) setListChoice(false)
    setRequest({ id, isFocused })
  }
  const find = useCallback((text: string) => findTables(diagram, text), [diagram])
  const counts = `${plural(diagram.tables.filter(({ isListed }) => isListed).length, 'table')}, ${formatCount(diagram.keys.length)} foreign ${diagram.keys.length === 1 ? 'key' : 'keys'}`
  return (
    <>
      <PageHead title="Diagram" note={counts}>
        <DiagramSearch inputRef={input} find={find} onShow={show} />
        <IconButton label="List" isNamed isOn={isListOpen} onPress={() => setListChoice(!isListOpen)}>
          <List {...icon} />
        </IconButton>
        {layout.state === 'placed' ? <Export placed={layout.placed} /> : null}
      </PageHead>
      <div className={styles.page}>
        <div ref={paneRef} className={styles.pane}>
          {layout.state === 'pending' ? <LayingOut count={diagram.tables.length} /> : null}
          {layout.state === 'failed' ? (
            <ErrorState
              title="The diagram could not be laid out"
              action={<Button onPress={layout.retry}>Try again</Button>}
            >
              {layout.message} The list has the same tables and references.
            </ErrorState>
          ) : null}
          {layout.state === 'placed' ? (
            <DiagramCanvas placed={layout.placed} {...{ pane, paneRef, request }} {...links} />
          ) : null}
        </div>
        {isListOpen ? (
          <DiagramList
            diagram={diagram}
            onCenter={layout.state === 'placed' ? id => show(id, true) : undefined}
          />
        ) : null}
      </div>
    </>
  )
}

/** The page. */
export function DiagramPage() {
  useTitle('Diagram')
  const { phase, infos, schemas, schema } = useTables()
  const home = schemas.has('public') ? 'public' : schema
  const diagram = useSameDiagram(useMemo(() => diagramOf(schemas, home), [schemas, home]))
  if (phase !== 'known' || (infos.length === 0 && diagram.tables.length === 0))
    return <NoTables title="Diagram" />
  return <DiagramView diagram={diagram} />
}
