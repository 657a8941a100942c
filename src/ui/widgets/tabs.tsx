// Tabs: shows one of several panels.
import { createContext, memo, useCallback, useContext, useEffect, useRef, type ReactNode } from 'react'
import { Tab, TabList, Tabs as AriaTabs } from 'react-aria-components'
import { cx } from './cx.ts'
import { TabPanel } from './tab-panel.tsx'
import { TabsMore } from './tabs-more.tsx'
import styles from './tabs.module.css'

export interface TabItem {
  readonly id: string
  readonly title: string
  readonly content: ReactNode
}

export interface TabsProps {
  readonly label: string
  readonly items: readonly TabItem[]
  readonly selected?: string
  readonly onSelect?: (id: string) => void
  /** Shown at the end of the tab line. */
  readonly aside?: ReactNode
}

const ItemsContext = createContext<readonly TabItem[]>([])

/** A line of tabs above their panels; fills the available height. */
export function Tabs({ label, items, selected, onSelect, aside }: TabsProps) {
  const latest = useRef(onSelect)
  useEffect(() => {
    latest.current = onSelect
  })
  const select = useCallback((id: string) => latest.current?.(id), [])
  const names = JSON.stringify(items.map(({ id, title }) => [id, title]))
  return (
    <ItemsContext value={items}>
      <Frame label={label} names={names} selected={selected} onSelect={select} aside={aside} />
    </ItemsContext>
  )
}

interface FrameProps {
  readonly label: string
  /** Ids and titles as JSON. */
  readonly names: string
  readonly selected: string | undefined
  readonly onSelect: (id: string) => void
  readonly aside: ReactNode
}

/** Re-renders only when the tabs change: the panels get their content through a context. */
const Frame = memo(function Frame({ label, names, selected, onSelect, aside }: FrameProps) {
  const line = useRef<HTMLDivElement>(null)
  const chosen = selected === undefined ? {} : { selectedKey: selected }
  const tabs = JSON.parse(names) as readonly (readonly [id: string, title: string])[]
  return (
    <AriaTabs {...chosen} onSelectionChange={key => onSelect(String(key))} className={cx(styles.tabs)}>
      <div className={styles.line}>
        <TabList ref={line} aria-label={label} className={cx(styles.list)}>
          {tabs.map(([id, title]) => (
            <Tab key={id} id={id} className={cx(styles.tab)}>
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
