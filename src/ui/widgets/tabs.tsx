// Tabs: one panel of several is shown.
import { createContext, memo, useContext, type ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components'
import { cx } from './cx.ts'
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

/** A line of tabs over their panels; fills the height that it is given. */
export function Tabs({ label, items, selected, onSelect, aside }: TabsProps) {
  const chosen = selected === undefined ? {} : { selectedKey: selected }
  return (
    <ItemsContext value={items}>
      <AriaTabs {...chosen} onSelectionChange={key => onSelect?.(String(key))} className={cx(styles.tabs)}>
        <div className={styles.line}>
          <Line label={label} names={JSON.stringify(items.map(({ id, title }) => [id, title]))} />
          {aside === undefined ? null : <div className={styles.aside}>{aside}</div>}
        </div>
        {items.map(({ id }) => (
          <Panel key={id} id={id} />
        ))}
      </AriaTabs>
    </ItemsContext>
  )
}

interface LineProps {
  readonly label: string
  /** Ids and titles as JSON. */
  readonly names: string
}

const Line = memo(function Line({ label, names }: LineProps) {
  return (
    <TabList aria-label={label} className={cx(styles.list)}>
      {(JSON.parse(names) as readonly (readonly [string, string])[]).map(([id, title]) => (
        <Tab key={id} id={id} className={cx(styles.tab)}>
          {title}
        </Tab>
      ))}
    </TabList>
  )
})

/** Whenever it renders it looks for what can take the focus in it, which costs a layout: new content is none of its. */
const Panel = memo(function Panel({ id }: { readonly id: string }) {
  return (
    <TabPanel id={id} className={cx(styles.panel)}>
      <Content id={id} />
    </TabPanel>
  )
})

function Content({ id }: { readonly id: string }) {
  return useContext(ItemsContext).find(item => item.id === id)?.content
}
