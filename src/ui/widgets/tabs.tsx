// Tabs: shows one of several panels.
import {
  createContext,
  memo,
  useCallback,
  useContext,
  useEffect,
  useRef,
  type ReactNode,
  useLayoutEffect,
  useState,
  type RefObject,
} from 'react'
import {
  Tab,
  TabList,
  Tabs as AriaTabs,
  TabListStateContext,
  TabsContext,
  Button,
  Menu,
  MenuItem,
  MenuTrigger,
  Popover,
} from 'react-aria-components'
import { cx } from './cx.ts'
import styles from './tabs.module.css'
import { ChevronDown } from 'lucide-react'
import popover from './popover.module.css'
import select from './select.module.css'
import { useTransient } from './time.ts'
import square from './square.module.css'

export interface TabItem {
  readonly id: string
  readonly title: string
  readonly content: ReactNode
  /** Whether a group of tabs starts here: set apart, and on a separate line where there is no room. */
  readonly startsGroup?: boolean
}

export interface TabsProps {
  readonly label: string
  readonly items: readonly TabItem[]
  readonly selected?: string
  readonly onSelect?: (id: string) => void
  /** Shown at the end of the tab line. */
  readonly aside?: ReactNode
}

type TabName = readonly [id: string, title: string, startsGroup: boolean]

const ItemsContext = createContext<readonly TabItem[]>([])

/** A line of tabs above their panels; fills the available height. */
export function Tabs({ label, items, selected, onSelect, aside }: TabsProps) {
  const latest = useRef(onSelect)
  useEffect(() => {
    latest.current = onSelect
  })
  const select = useCallback((id: string) => latest.current?.(id), [])
  const names = JSON.stringify(
    items.map(({ id, title, startsGroup = false }) => [id, title, startsGroup] satisfies TabName),
  )
  return (
    <ItemsContext value={items}>
      <Frame label={label} names={names} selected={selected} onSelect={select} aside={aside} />
    </ItemsContext>
  )
}

interface FrameProps {
  readonly label: string
  /** Each `TabName` as JSON. */
  readonly names: string
  readonly selected: string | undefined
  readonly onSelect: (id: string) => void
  readonly aside: ReactNode
}

/** Re-renders only when the tabs change: the panels get their content through a context. */
const Frame = memo(function Frame({ label, names, selected, onSelect, aside }: FrameProps) {
  const line = useRef<HTMLDivElement>(null)
  const chosen = selected === undefined ? {} : { selectedKey: selected }
  const tabs = JSON.parse(names) as readonly TabName[]
  const hasGroups = tabs.some(([, , startsGroup]) => startsGroup)
  return (
    <AriaTabs {...chosen} onSelectionChange={key => onSelect(String(key))} className={cx(styles.tabs)}>
      <div className={styles.line}>
        <TabList ref={line} aria-label={label} className={cx(styles.list, hasGroups && styles.grouped)}>
          {tabs.map(([id, title, startsGroup]) => (
            <Tab key={id} id={id} className={cx(styles.tab, startsGroup && styles.starts)}>
              {title}
            </Tab>
          ))}
        </TabList>
        <TabsMore line={line} label={label} tabs={tabs} />
        {aside === undefined ? null : <div className={styles.aside}>{aside}</div>}
      </div>
      <Panels />
    </AriaTabs>
  )
})

function Panels() {
  return <TabPanel items={useContext(ItemsContext)} />
}

/** Delay between a change inside and the search for focusable elements. */
const RESTS_MS = 300
const FOCUSABLE = 'a[href], button:not([disabled]), input:not([disabled]), [tabindex="0"]'

/** Rendered inside `Tabs`, after the list of tabs. */
function TabPanel({ items }: Pick<TabsProps, 'items'>) {
  const chosen = useContext(TabListStateContext)?.selectedKey
  const item = items.find(({ id }) => id === chosen)
  if (!item) return null
  return (
    // Nested tabs must not use these contexts.
    <TabsContext value={null}>
      <TabListStateContext value={null}>
        <Panel key={item.id}>{item.content}</Panel>
      </TabListStateContext>
    </TabsContext>
  )
}

function Panel({ children }: { readonly children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null)
  const hasFocusable = useHasFocusable(panel)
  // Copies the ids that the library generated; a new list of tabs has new ids.
  useLayoutEffect(() => {
    const element = panel.current
    const tab = element?.parentElement?.querySelector('[role=tab][aria-selected=true]')
    // Setting the same attributes again would cost as much as a change.
    if (!element || !tab || element.getAttribute('aria-labelledby') === tab.id) return
    element.id = tab.getAttribute('aria-controls') ?? ''
    element.setAttribute('aria-labelledby', tab.id)
  })
  return (
    <div ref={panel} role="tabpanel" tabIndex={hasFocusable ? undefined : 0} className={cx(styles.panel)}>
      {children}
    </div>
  )
}

/** Whether the content has a focusable element; if not, the panel is focusable for keyboard scrolling. */
function useHasFocusable(panel: RefObject<HTMLElement | null>): boolean {
  const [has, setHas] = useState(true)
  const [isChanged = false, setChanged] = useTransient<true>(RESTS_MS)
  useEffect(() => {
    const element = panel.current
    if (!element || isChanged) return
    const look = () => setHas(element.querySelector(FOCUSABLE) !== null)
    look()
    const observer = new MutationObserver(() => {
      observer.disconnect()
      setChanged(true)
    })
    observer.observe(element, { subtree: true, childList: true })
    return () => observer.disconnect()
  }, [panel, isChanged, setChanged])
  return has
}

interface TabsMoreProps {
  /** The scrolling tab list. */
  readonly line: RefObject<HTMLDivElement | null>
  readonly label: string
  readonly tabs: readonly TabName[]
}

/** Renders nothing while all tabs are visible. Scrolls the selected tab into view if not. */
function TabsMore({ line, label, tabs }: TabsMoreProps) {
  const state = useContext(TabListStateContext)
  const chosen = state?.selectedKey
  const isCut = useCut(line, tabs.length)
  useEffect(() => {
    if (isCut && chosen !== undefined && line.current) showChosen(line.current)
  }, [line, chosen, isCut])
  if (!isCut || !state) return null
  return (
    <MenuTrigger>
      <Button aria-label={`All tabs: ${label}`} className={cx(square.square, styles.more)}>
        <ChevronDown size={13} aria-hidden />
      </Button>
      <Popover placement="bottom end" className={cx(popover.popover, select.popover)}>
        <Menu
          aria-label={`All tabs: ${label}`}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={chosen === null || chosen === undefined ? [] : [chosen]}
          onAction={key => state.setSelectedKey(key)}
          className={cx(select.list)}
        >
          {tabs.map(([id, title]) => (
            <MenuItem key={id} id={id} className={cx(select.item)}>
              {title}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

/** Scrolls only the tab line, as far as the selected tab needs. */
function showChosen(line: HTMLElement): void {
  const tab = line.querySelector('[role=tab][aria-selected=true]')
  if (!tab) return
  const [own, seen] = [tab.getBoundingClientRect(), line.getBoundingClientRect()]
  if (own.left < seen.left) line.scrollLeft -= seen.left - own.left
  else if (own.right > seen.right) line.scrollLeft += own.right - seen.right
}

/** Whether tabs are hidden; sets `data-cut` on the line, which fades out at the cut ends. */
function useCut(line: RefObject<HTMLDivElement | null>, count: number): boolean {
  const [isCut, setCut] = useState(false)
  useEffect(() => {
    const list = line.current
    if (!list) return
    const look = () => {
      const hidden = list.scrollWidth - list.clientWidth
      const [before, after] = [list.scrollLeft > 1, list.scrollLeft < hidden - 1]
      list.dataset['cut'] = `${before ? 'before' : ''}${after ? 'after' : ''}`
      setCut(hidden > 1)
    }
    const sizes = new ResizeObserver(() => {
      showChosen(list)
      look()
    })
    // When the line gets the focus, the tabs component restores its scroll position; this runs after that.
    const { ownerDocument } = list
    const come = ({ target }: FocusEvent) => {
      if (target instanceof Node && list.contains(target)) showChosen(list)
    }
    sizes.observe(list)
    list.addEventListener('scroll', look, { passive: true })
    ownerDocument.addEventListener('focusin', come)
    return () => {
      sizes.disconnect()
      list.removeEventListener('scroll', look)
      ownerDocument.removeEventListener('focusin', come)
    }
  }, [line, count])
  return isCut
}
